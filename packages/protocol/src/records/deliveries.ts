import { flag, integer, listOf, mapOf, oneOf, record, text, time, withDescription } from './schema.ts';
import { waitingFor } from './waiting.ts';

const delivery = {
  id: withDescription(text, 'the `webhook-id` of every attempt'),
  kind: withDescription(
    text,
    '`callback` of an upload, `notification` of a task, `live`, `object`, or `test`',
  ),
  state: oneOf(['unsent', 'waiting', 'delivered', 'failed']),
  created: time,
  url: withDescription(text, 'where it is sent'),
  'endpoint?': withDescription(text, 'id of its endpoint'),
  'entity?': withDescription(text, 'deliveries of one entity arrive in order'),
  'sequence?': withDescription(integer, 'its place in that order'),
  subject: withDescription(text, 'what it is about, in words'),
  reqid: withDescription(text, 'of the request that caused it'),
};

export const deliveryRecords = {
  Delivery: record(delivery),
  DeliveryWithAttempts: record({
    ...delivery,
    contentType: text,
    body: text,
    'waits?': withDescription(
      text,
      '`due`, `leased`, `parked`, or `following` another of its entity; absent once it is over',
    ),
    'next?': withDescription(time, 'of the next attempt'),
    'waitingFor?': withDescription(waitingFor, 'while it waits'),
    attempts: listOf(
      record({
        attempt: integer,
        begun: time,
        url: text,
        'status?': withDescription(integer, 'that the receiver answered'),
        durationMs: integer,
        'response?': withDescription(text, 'the beginning of its answer'),
        'error?': withDescription(text, 'why there was no answer'),
        'request?': withDescription(
          record({
            headers: withDescription(mapOf(text), 'with the signatures of this attempt'),
            bodyBytes: integer,
          }),
          'as it was sent; the body is that of the delivery',
        ),
        'answer?': withDescription(
          record({
            status: integer,
            'headers?': withDescription(mapOf(text), 'some of them'),
            body: withDescription(text, 'its first 4 KiB'),
          }),
          'what the receiver answered',
        ),
      }),
    ),
  }),
  Endpoint: record({
    endpoint: text,
    name: text,
    configured: withDescription(flag, 'true: the callback of a namespace; false: a URL given with a call'),
    'url?': text,
    state: text,
    'failingSince?': time,
    'suspended?': withDescription(time, 'since when nothing is sent to it'),
    'reason?': text,
    waiting: withDescription(
      integer,
      'deliveries that wait for it: for another attempt, behind another delivery, or until it is back; of each, 10,000 are counted',
    ),
    'oldest?': withDescription(time, 'when the oldest of these was created'),
    'lastSuccess?': time,
    'lastFailure?': time,
    recent: withDescription(
      listOf(record({ minute: time, ok: integer, failed: integer })),
      'attempts of the last hour by minute, oldest first; minutes without any are left out',
    ),
  }),
};
