import { flag, integer, listOf, mapOf, oneOf, record, said, text, time } from './schema.ts';
import { waitingRecords } from './waiting.ts';

const delivery = {
  id: said(text, 'the `webhook-id` of every attempt'),
  kind: said(text, '`callback` of an upload, `notification` of a task, `live`, `object`, or `test`'),
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
    'waitingFor?': said(waitingRecords.WaitingFor, 'while it waits'),
    attempts: listOf(
      record({
        attempt: integer,
        begun: time,
        url: text,
        'status?': said(integer, 'that the receiver answered'),
        durationMs: integer,
        'response?': said(text, 'the beginning of its answer'),
        'error?': said(text, 'why there was no answer'),
        'request?': said(
          record({ headers: said(mapOf(text), 'with the signatures of this attempt'), bodyBytes: integer }),
          'as it was sent; the body is that of the delivery',
        ),
        'answer?': said(
          record({
            status: integer,
            'headers?': said(mapOf(text), 'some of them'),
            body: said(text, 'its first 4 KiB'),
          }),
          'what the receiver answered',
        ),
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
    waiting: said(
      integer,
      'deliveries that wait for it: for another attempt, behind another delivery, or until it is back; of each, 10,000 are counted',
    ),
    'oldest?': said(time, 'when the oldest of these was created'),
    'lastSuccess?': time,
    'lastFailure?': time,
    recent: said(
      listOf(record({ minute: time, ok: integer, failed: integer })),
      'attempts of the last hour by minute, oldest first; minutes without any are left out',
    ),
  }),
};
