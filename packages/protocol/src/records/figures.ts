import {
  integer,
  listOf,
  mapOf,
  nullable,
  number,
  oneOf,
  record,
  text,
  time,
  unixSeconds,
  withDescription,
} from './schema.ts';

const counted = withDescription(integer, 'at most 10,000 are counted');
const byClass = record({ 0: integer, 1: integer, 2: integer, 3: integer });
const oldest = withDescription(time, 'of the first that waits');

const HealthItem = record({
  engine: oneOf([
    'gateway',
    'worker',
    'database-control',
    'database-region',
    'bytes',
    'rtmp',
    'sip',
    'sender',
  ]),
  name: text,
  state: oneOf(['ok', 'warn', 'bad', 'off'], '`off`: it is not configured'),
  'ms?': withDescription(integer, 'how long it took to answer'),
  words: withDescription(text, 'what was found'),
  'do?': withDescription(text, 'what to do about it'),
  'since?': withDescription(time, 'since when it runs, or says nothing'),
});

const healthItem: typeof HealthItem = { $ref: '#/components/schemas/HealthItem' };

export const figureRecords = {
  Figures: record({
    from: unixSeconds,
    to: unixSeconds,
    step: withDescription(
      integer,
      'seconds from one value to the next; longer than asked for where only that is kept',
    ),
    series: withDescription(
      mapOf(listOf(nullable(number))),
      'by name, one value for each step from `from` on; null: nothing is known of that time',
    ),
  }),
  HealthItem,
  Health: record({
    items: listOf(healthItem),
    'capacity?': withDescription(record({ used: integer, total: integer }), 'bytes of the engine for bytes'),
  }),
  Overview: record({
    buckets: counted,
    bytes: withDescription(byClass, 'by the number of the storage class'),
    objects: byClass,
    tasks: record({
      waiting: counted,
      running: counted,
      failedToday: withDescription(counted, 'since midnight, UTC'),
    }),
    pipelines: withDescription(
      listOf(
        record({ name: text, waiting: counted, running: counted, concurrency: integer, 'oldest?': oldest }),
      ),
      'of an account',
    ),
    deliveries: record({ waiting: counted, failed: counted, 'oldest?': oldest }),
    endpointsAway: withDescription(
      listOf(
        record({
          endpoint: withDescription(text, 'its id'),
          name: text,
          'since?': time,
          words: withDescription(text, 'why it is suspended'),
          waiting: withDescription(integer, 'events for it; at most 1000 are counted'),
        }),
      ),
      'that are suspended, or that did not answer and for which something waits; at most 50',
    ),
    restores: withDescription(counted, 'under way'),
    streams: withDescription(counted, 'live streams that are published now'),
    devices: withDescription(counted, 'devices that are online'),
    bulk: withDescription(counted, 'work on many objects that waits or runs'),
    requests: record({
      days: withDescription(
        listOf(record({ day: text, calls: integer, downloads: integer })),
        'of the last 30 days, UTC, that have any',
      ),
    }),
  }),
  Failure: record({
    at: time,
    what: oneOf(['task', 'callback', 'notification', 'stream', 'event', 'fetch', 'bulk', 'job']),
    id: text,
    'uid?': withDescription(
      integer,
      'the account that it belongs to; absent for a job, which belongs to none',
    ),
    'entry?': withDescription(text, 'the object, stream or queue that it is about, as it was named'),
    words: withDescription(text, 'of whoever failed: an engine, a receiver, an origin'),
    cause: record({
      kind: oneOf(['task', 'endpoint', 'delivery', 'bulk', 'request', 'job']),
      id: text,
      'item?': withDescription(integer, 'of a task: which of its commands, from 0'),
    }),
    act: nullable(oneOf(['rerun', 'resend', 'again'], 'what can be done about it')),
  }),
};
