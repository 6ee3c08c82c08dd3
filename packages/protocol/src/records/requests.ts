import type { deliveryRecords } from './deliveries.ts';
import type { processingRecords } from './processing.ts';
import { flag, integer, listOf, number, oneOf, record, said, text, time } from './schema.ts';

/** One record, wherever it stands. */
const task: typeof processingRecords.OwnTask = { $ref: '#/components/schemas/OwnTask' };
const delivery: typeof deliveryRecords.Delivery = { $ref: '#/components/schemas/Delivery' };

const step = record({
  at: said(number, 'milliseconds since the request began'),
  ms: said(number, 'how long it took'),
  kind: oneOf(['auth', 'judge', 'statement', 'engine', 'callback', 'job', 'event']),
  name: said(
    text,
    'of the statement, of what the storage engine was asked for, of the queue, where a callback went, or of the refusal',
  ),
  'words?': said(text, 'what came of it'),
  ok: flag,
});

export const requestRecords = {
  RequestTrace: record({
    reqid: text,
    at: time,
    method: text,
    path: said(text, 'without the query'),
    'role?': said(text, 'the host that answered; absent if there is no such call'),
    status: integer,
    ms: said(number, 'until the end of the answer'),
    address: said(text, 'of the client'),
    'uid?': said(integer, 'the account whose credential it was made with'),
    'accessKey?': text,
    'session?': said(text, 'of the console'),
    'fault?': said(text, 'why it was refused, by name; `answer` where the answer itself says it'),
    'hint?': said(text, 'what its client was told'),
    steps: said(listOf(step), 'in their order; at most 100'),
    'leftOut?': said(integer, 'further steps'),
    caused: record({
      tasks: listOf(task),
      deliveries: listOf(delivery),
      audit: listOf(
        record({
          at: time,
          action: text,
          result: text,
          actor: text,
          address: text,
          target: text,
          reqid: text,
        }),
      ),
    }),
  }),
};
