import { bulkStates } from '../records/bulk.ts';
import { ref } from '../records/index.ts';
import { oneOf } from '../records/schema.ts';
import { answers, group, json, limit, marker, may, pageOf } from './builders.ts';
import type { CallDescription } from './call.ts';

const bulk = group('Work on many objects', 'api', 'management or token');
const one = answers(ref('Bulk'));
const missing = { 612: 'there is none of the account with this id' };

export const bulkCalls: readonly CallDescription[] = [
  bulk(
    'submitBulk',
    'POST /v1/bulk',
    'Has something done, in the background, with all objects under a prefix, or with up to 10,000 that are named',
    {
      body: json(ref('NewBulk')),
      answer: { ...one, status: 202 },
      faults: { 573: 'the account has 100 of them waiting or running' },
    },
  ),
  bulk('bulkList', 'GET /v1/bulk', 'Work on many objects, newest first; kept for 30 days', {
    query: [may('state', 'in this state', oneOf(bulkStates)), marker, limit(100)],
    answer: pageOf('Bulk'),
  }),
  bulk('bulk', 'GET /v1/bulk/{id}', 'How far it has come', { answer: one, faults: missing }),
  bulk('stopBulk', 'POST /v1/bulk/{id}/stop', 'Ends it where it is; what is done stays done', {
    answer: one,
    faults: missing,
  }),
];
