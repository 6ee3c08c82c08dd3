/** Counts per queue, for metrics. Jobs are counted by the supervision every 2 s; this only reads its result. */
import type { PgBoss } from 'pg-boss';
import { BOSS_SCHEMA, DEAD_LETTER } from './boss.ts';
import { planned, type SqlClient } from './statements.ts';

export interface QueueStats {
  readonly queue: string;
  /** Ready to run, or waiting for a retry. */
  readonly waiting: number;
  readonly active: number;
  /** Not due yet. */
  readonly delayed: number;
  /** Dead letters. */
  readonly failed: number;
}

export async function readStats(
  boss: PgBoss,
  client: SqlClient,
  queues: readonly string[],
): Promise<QueueStats[]> {
  if (queues.length === 0) return [];
  const counted = await boss.getQueues([...queues]);
  const delayed = await countBy(
    client,
    'SELECT queue, count(*)::int AS count FROM queue.delayed GROUP BY queue',
  );
  const failed = await countBy(
    client,
    `SELECT source_name AS queue, count(*)::int AS count FROM ${BOSS_SCHEMA}.job
     WHERE name = '${DEAD_LETTER}' GROUP BY source_name`,
  );
  return counted.map((queue) => ({
    queue: queue.name,
    waiting: queue.queuedCount,
    active: queue.activeCount,
    delayed: delayed.get(queue.name) ?? 0,
    failed: failed.get(queue.name) ?? 0,
  }));
}

async function countBy(client: SqlClient, text: string): Promise<Map<string, number>> {
  const rows = await planned<{ queue: string; count: number }>(client, text, []);
  return new Map(rows.map((row) => [row.queue, row.count]));
}
