import { flag, integer, listOf, oneOf, record, said, text, time } from './schema.ts';

const delivery = {
  id: said(text, 'the `webhook-id` of every attempt'),
  kind: said(text, '`callback` of an upload, `notification` of a task, or `live`'),
  state: oneOf(['unsent', 'waiting', 'delivered', 'failed']),
  created: time,
  url: said(text, 'where it is sent'),
  'endpoint?': said(text, 'id of its endpoint'),
  'entity?': said(text, 'deliveries of one entity arrive in order'),
  'sequence?': said(integer, 'its place in that order'),
  subject: said(text, 'what it is about, in words'),
  reqid: said(text, 'of the request that caused it'),
};

export const deliveryRecords = {
  Delivery: record(delivery),
  DeliveryWithAttempts: record({
    ...delivery,
    contentType: text,
    body: text,
    'waits?': said(
      text,
      '`due`, `leased`, `parked`, or `following` another of its entity; absent once it is over',
    ),
    'next?': said(time, 'of the next attempt'),
    attempts: listOf(
      record({
        attempt: integer,
        begun: time,
        url: text,
        'status?': said(integer, 'that the receiver answered'),
        durationMs: integer,
        'response?': said(text, 'the beginning of its answer'),
        'error?': said(text, 'why there was no answer'),
      }),
    ),
  }),
  Endpoint: record({
    endpoint: text,
    name: text,
    configured: said(flag, 'true: the callback of a namespace; false: a URL given with a call'),
    'url?': text,
    state: text,
    'failingSince?': time,
    'suspended?': said(time, 'since when nothing is sent to it'),
    'reason?': text,
  }),
};
