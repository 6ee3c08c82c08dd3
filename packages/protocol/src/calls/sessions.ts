import { ref } from '../records/index.ts';
import { listOf, record } from '../records/schema.ts';
import type { CallDescription } from './call.ts';
import { answers, group } from './forms.ts';

const session = group('Accounts', 'api', 'management');

export const sessionCalls: readonly CallDescription[] = [
  session('sessions', 'GET /v1/sessions', 'Sessions of the console, newest first', {
    answer: answers(record({ items: listOf(ref('Session')) })),
  }),
  session('endSession', 'DELETE /v1/sessions/{id}', 'Ends a session, within 5 s everywhere'),
  session('endSessions', 'DELETE /v1/sessions', 'Ends all sessions but the one that makes the call'),
];
