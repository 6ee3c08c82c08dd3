import { ref } from '../records/index.ts';
import { answers, group } from './builders.ts';
import type { CallDescription } from './call.ts';

const request = group('Requests', 'api', 'management or token');

export const requestCalls: readonly CallDescription[] = [
  request(
    'request',
    'GET /v1/requests/{reqid}',
    "What became of a request that was made with the account's credentials",
    {
      answer: answers(ref('RequestTrace')),
      faults: { 612: 'no such request is kept: see [requests.md](../requests.md)' },
    },
  ),
];
