import { ref } from '../records/index.ts';
import { listOf, record } from '../records/schema.ts';
import { answers, group } from './builders.ts';
import type { CallDescription } from './call.ts';

const session = group('Accounts', 'api', 'management');

export const sessionCalls: readonly CallDescription[] = [
  session('sessions', 'GET /v1/sessions', 'Sessions of the console, newest first', {
    answer: answers(record({ items: listOf(ref('Session')) })),
  }),
  session('endSession', 'DELETE /v1/sessions/{id}', 'Ends a session, within 5 s everywhere'),
  session('endSessions', 'DELETE /v1/sessions', 'Ends all sessions but the one that makes the call'),
  session(
    'accessTokens',
    'GET /v1/access-tokens',
    'Log-ins by `POST /oauth2/token` whose tokens can still be used, newest first',
    { answer: answers(record({ items: listOf(ref('TokenGrant')) })) },
  ),
  session(
    'endAccessTokens',
    'DELETE /v1/access-tokens/{id}',
    'Ends a log-in: its access and refresh tokens are refused, within 5 s everywhere',
  ),
  session('endAllAccessTokens', 'DELETE /v1/access-tokens', 'Ends all log-ins of the account'),
];
