import { statements } from '../statement.ts';

/** Notifications and how every event is delivered. */
export const deliveriesStatements = [
  ...statements(
    {
      subject: 'deliveries',
      from: 'interface',
      milestone: 'processing',
      where: 'Events: Persistent processing notification',
    },
    {
      'notify-01': 'A task started by an upload is told to persistentNotifyUrl',
      'notify-02': 'It is sent after all operations have finished: no item in it waits or runs',
      'notify-03': 'It is an HTTP POST with Content-Type application/json',
      'notify-04': 'A task without notifyURL sends nothing',
      'notify-05': 'A failed task is told too',
    },
  ),
  ...statements(
    { subject: 'deliveries', from: 'decision', milestone: 'processing', where: 'notifications' },
    {
      'notify-rule-01': 'The body is the status record: equal to what the query answers',
      'notify-rule-02': 'When it arrives, a query answers the final state',
    },
  ),
  ...statements(
    { subject: 'deliveries', from: 'decision', milestone: 'deliveries', where: 'deliveries' },
    {
      'delivery-01':
        'An event is written in the transaction of its cause: a rolled back cause sends nothing, a committed one is never lost',
      'delivery-02': 'Every try of one event carries the same bytes and the same webhook-id',
      'delivery-03': 'Events carry `Svc <AK>:<sign>` in the new form (method, Host, body) and it verifies',
      'delivery-04':
        'Events carry webhook-id, webhook-timestamp and webhook-signature (HMAC-SHA256 over id.timestamp.body) and they verify',
      'delivery-05': 'During a rotation both secrets of the account verify; after it only the new one',
      'delivery-06': 'Events other than upload callbacks never carry `SvcCb`',
      'delivery-07':
        'The signing key is the one that made the request, else the oldest enabled root key of the account',
      'delivery-08': 'Any 2xx is success; 3xx, 4xx and 5xx are failures',
      'delivery-09': 'A receiver that does not answer within 10 s has failed that try',
      'delivery-10':
        'Tries follow after 1 s, 5 s, 30 s, 2 m, 10 m, 30 m, 1 h, 2 h, 4 h, 8 h and then every 12 h, each plus 0 to 20 %',
      'delivery-11': 'Tries end 5 days after the event was made',
      'delivery-12': '`Retry-After` is honoured up to 1 h',
      'delivery-13': '410 ends the delivery and suspends a configured endpoint',
      'delivery-14': '5 days of nothing but failures suspend a configured endpoint, and the operator is told',
      'delivery-15': 'A suspended endpoint keeps its events 14 days',
      'delivery-16': 'URLs given per call are never suspended',
      'delivery-17': 'The first success at an endpoint makes all its waiting events due, paced',
      'delivery-18': 'One delivery can be sent again; all that failed since a time can be sent again',
      'delivery-19': 'A receiver that hangs does not delay the events of another',
      'delivery-20':
        'Events of one entity arrive in order; a time-out, 5xx or refused connection holds its lane',
      'delivery-21':
        'A 4xx other than 408, 409, 425 and 429 holds its lane for 3 tries, then that event retries outside it',
      'delivery-22': 'Every event carries the sequence number of its entity in a header',
      'delivery-23': 'Attempts are kept with status, timing and the first 16 KiB of the answer for 30 days',
      'delivery-24': 'Calls under {api_url}/v1/deliveries list deliveries and attempts of the caller only',
      'delivery-25':
        'A sender killed at any moment loses no event; only what was in flight comes twice, with the same id',
      'delivery-26': '`millpond listen` receives, verifies, prints and forwards deliveries',
      'delivery-27':
        'Attempts show the request as it was sent, and the status, headers and beginning of the answer',
      'delivery-28':
        'A test event is signed and recorded like any other, sent once, also to an endpoint that is away',
      'delivery-29':
        'An endpoint shows what waits for it, its last success and failure, and the attempts of the last hour',
      'delivery-30':
        'A delivery that waits says for what (`waitingFor`): the next attempt with its time, an earlier delivery, its receiver, a sender',
      'delivery-31':
        'However many endpoints of an account are at one origin, together they get no more at a time than one; those of other accounts there do not wait',
    },
  ),
];
