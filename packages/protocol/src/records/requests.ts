import type { deliveryRecords } from './deliveries.ts';
import type { processingRecords } from './processing.ts';
import { flag, integer, listOf, number, oneOf, record, text, time, withDescription } from './schema.ts';

/** One record, wherever it stands. */
const task: typeof processingRecords.OwnTask = { $ref: '#/components/schemas/OwnTask' };
const delivery: typeof deliveryRecords.Delivery = { $ref: '#/components/schemas/Delivery' };

const step = record({
  at: withDescription(number, 'milliseconds since the request began'),
  ms: withDescription(number, 'how long it took'),
  kind: oneOf(['auth', 'judge', 'statement', 'engine', 'callback', 'job', 'event']),
  name: withDescription(
    text,
    'of the statement, of what the storage engine was asked for, of the queue, where a callback went, or of the refusal',
  ),
  'words?': withDescription(text, 'what came of it'),
  ok: flag,
});

export const requestRecords = {
  RequestTrace: record({
    reqid: text,
    at: time,
    method: text,
    path: withDescription(text, 'without the query'),
    'role?': withDescription(text, 'the host that answered; absent if there is no such call'),
    status: integer,
    ms: withDescription(number, 'until the end of the answer'),
    address: withDescription(text, 'of the client'),
    'uid?': withDescription(integer, 'the account whose credential it was made with'),
    'accessKey?': text,
    'session?': withDescription(text, 'of the console'),
    'fault?': withDescription(text, 'why it was refused, by name; `answer` where the answer itself says it'),
    'hint?': withDescription(text, 'what its client was told'),
    steps: withDescription(listOf(step), 'in their order; at most 100'),
    'leftOut?': withDescription(integer, 'further steps'),
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
