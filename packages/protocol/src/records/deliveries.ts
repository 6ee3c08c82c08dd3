import { flag, integer, listOf, oneOf, record, said, text, time } from './schema.ts';

const delivery = {
  id: said(text, 'the `webhook-id` of every attempt'),
  kind: text,
  state: oneOf(['unsent', 'waiting', 'delivered', 'failed']),
  created: time,
  url: text,
  'endpoint?': text,
  'entity?': text,
  'sequence?': integer,
  subject: text,
  reqid: text,
};

export const deliveryRecords = {
  Delivery: record(delivery),
  DeliveryWithAttempts: record({
    ...delivery,
    contentType: text,
    body: text,
    'waits?': text,
    'next?': time,
    attempts: listOf(
      record({
        attempt: integer,
        begun: time,
        url: text,
        'status?': integer,
        durationMs: integer,
        'response?': text,
        'error?': text,
      }),
    ),
  }),
  Endpoint: record({
    endpoint: text,
    name: text,
    configured: flag,
    'url?': text,
    state: text,
    'failingSince?': time,
    'suspended?': time,
    'reason?': text,
  }),
};
