import {
  integer,
  listOf,
  mapOf,
  nullable,
  number,
  oneOf,
  record,
  said,
  text,
  time,
  unixSeconds,
} from './schema.ts';

const counted = said(integer, 'at most 10,000 are counted');
const byClass = record({ 0: integer, 1: integer, 2: integer, 3: integer });
const oldest = said(time, 'of the first that waits');

const HealthItem = record({
  engine: oneOf([
    ...([
      'gateway',
      'worker',
      'database-control',
      'database-region',
      'bytes',
      'rtmp',
      'sip',
      'sender',
    ] as const),
  ]),
  name: text,
  state: oneOf(['ok', 'warn', 'bad', 'off'], '`off`: it is not configured'),
  'ms?': said(integer, 'how long it took to answer'),
  words: said(text, 'what was found'),
  'do?': said(text, 'what to do about it'),
  'since?': said(time, 'since when it runs, or says nothing'),
});

const healthItem: typeof HealthItem = { $ref: '#/components/schemas/HealthItem' };

export const figureRecords = {
  Figures: record({
    from: unixSeconds,
    to: unixSeconds,
    step: said(integer, 'seconds from one value to the next; longer than asked for where only that is kept'),
    series: said(
      mapOf(listOf(nullable(number))),
      'by name, one value for each step from `from` on; null: nothing is known of that time',
    ),
  }),
  HealthItem,
  Health: record({
    items: listOf(healthItem),
    'capacity?': said(record({ used: integer, total: integer }), 'bytes of the engine for bytes'),
  }),
  Overview: record({
    buckets: counted,
    bytes: said(byClass, 'by the number of the storage class'),
    objects: byClass,
    tasks: record({ waiting: counted, running: counted, failedToday: said(counted, 'since midnight, UTC') }),
    pipelines: said(
      listOf(
        record({ name: text, waiting: counted, running: counted, concurrency: integer, 'oldest?': oldest }),
      ),
      'of an account',
    ),
    deliveries: record({ waiting: counted, failed: counted, 'oldest?': oldest }),
    endpointsAway: said(
      listOf(
        record({
          endpoint: said(text, 'its id'),
          name: text,
          'since?': time,
          words: said(text, 'why it is suspended'),
          waiting: said(integer, 'events for it; at most 1000 are counted'),
        }),
      ),
      'that are suspended, or that did not answer and for which something waits; at most 50',
    ),
    restores: said(counted, 'under way'),
    streams: said(counted, 'live streams that are published now'),
    devices: said(counted, 'devices that are online'),
    bulk: said(counted, 'work on many objects that waits or runs'),
    requests: record({
      days: said(
        listOf(record({ day: text, calls: integer, downloads: integer })),
        'of the last 30 days, UTC, that have any',
      ),
    }),
  }),
  Failure: record({
    at: time,
    what: oneOf(['task', 'callback', 'notification', 'stream', 'event', 'fetch', 'bulk', 'job']),
    id: text,
    'uid?': said(integer, 'the account that it belongs to; absent for a job, which belongs to none'),
    'entry?': said(text, 'the object, stream or queue that it is about, as it was named'),
    words: said(text, 'of whoever failed: an engine, a receiver, an origin'),
    cause: record({
      kind: oneOf(['task', 'endpoint', 'delivery', 'bulk', 'request', 'job']),
      id: text,
      'item?': said(integer, 'of a task: which of its commands, from 0'),
    }),
    act: nullable(oneOf(['rerun', 'resend', 'again'], 'what can be done about it')),
  }),
};
