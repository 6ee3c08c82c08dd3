/**
 * What a queue is: its class and how its jobs are retried. Defining is idempotent; a changed definition is written
 * over the stored one and holds for jobs enqueued from then on.
 */
import type { PgBoss } from 'pg-boss';
import { DEAD_LETTER, KEEP_FOREVER_SECONDS } from './boss.ts';
import { prepared, type SqlClient } from './statements.ts';

export interface QueueDefinition {
  /** Jobs of an idle queue are taken only when no normal queue of the worker has a job ready. */
  readonly kind: 'normal' | 'idle';
  /** Attempts after the first, each later than the one before; then the job is a dead letter. Default 5. */
  readonly retryLimit?: number;
  /** Wait before the first retry, doubled for each further one. Default 1. */
  readonly retryDelaySeconds?: number;
  /** The longest wait between retries. Default one hour. */
  readonly retryDelayMaxSeconds?: number;
  /** How long a silent worker keeps its jobs. Default 10. */
  readonly heartbeatSeconds?: number;
  /** A job that comes to a worker with room is noticed after at most about this time. Default 1000. */
  readonly longestPollMs?: number;
}

export interface DefinedQueue {
  readonly name: string;
  readonly kind: 'normal' | 'idle';
  readonly heartbeatSeconds: number;
  readonly longestPollMs: number;
}

/** pg-boss refuses less on a queue, though not on a job: see `heartbeatOf`. */
const SHORTEST_QUEUE_HEARTBEAT = 10;
const NAME = /^[a-z][a-z0-9-]{0,47}$/;

export async function defineQueue(
  boss: PgBoss,
  client: SqlClient,
  name: string,
  definition: QueueDefinition,
): Promise<DefinedQueue> {
  if (!NAME.test(name) || name === DEAD_LETTER) throw new Error(`not a queue name: ${name}`);
  const heartbeatSeconds = definition.heartbeatSeconds ?? 10;
  const wanted = {
    retryLimit: definition.retryLimit ?? 5,
    retryDelay: definition.retryDelaySeconds ?? 1,
    retryBackoff: true,
    retryDelayMax: definition.retryDelayMaxSeconds ?? 3600,
    heartbeatSeconds: Math.max(heartbeatSeconds, SHORTEST_QUEUE_HEARTBEAT),
    expireInSeconds: 86_400,
    deleteAfterSeconds: 600,
    retentionSeconds: KEEP_FOREVER_SECONDS,
    deadLetter: DEAD_LETTER,
  };
  const stored = await boss.getQueue(name);
  if (stored === null) {
    await boss.createQueue(name, { ...wanted, partition: true });
  } else if (Object.entries(wanted).some(([key, value]) => stored[key as keyof typeof wanted] !== value)) {
    await boss.updateQueue(name, wanted);
  }
  await prepared(client, 'INSERT INTO queue.virtual_time (queue) VALUES ($1) ON CONFLICT DO NOTHING', [name]);
  // pg-boss looks a queue up when it is first used. Inside a transaction that would take a second connection, and when
  // all connections are in such transactions, none would ever get it.
  await boss.insert(name, [], { db: { executeSql: async () => ({ rows: [] }) } });
  return {
    name,
    kind: definition.kind,
    heartbeatSeconds,
    longestPollMs: definition.longestPollMs ?? 1000,
  };
}

/** What a job must carry itself because its queue can't. */
export function heartbeatOf(queue: DefinedQueue): number | null {
  return queue.heartbeatSeconds < SHORTEST_QUEUE_HEARTBEAT ? queue.heartbeatSeconds : null;
}
