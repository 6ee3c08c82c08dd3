/**
 * Carries over jobs of versions that used pg-boss, while its tables exist. The migration does not do this: until the first
 * server of this version runs, earlier ones continue with their tables, and jobs that they add later are carried over too.
 */
import type { Periodic } from './periodic.ts';
import { planned, type SqlClient } from './statements.ts';

const EVERY_SECONDS = 2;
const BATCH = 5000;

export async function startCarryingOver(client: SqlClient, periodic: Periodic): Promise<void> {
  const [old] = await planned<{ is_there: boolean }>(
    client,
    `SELECT to_regclass('pgboss.job') IS NOT NULL AS is_there`,
    [],
  );
  if (old?.is_there)
    await periodic.every('queue-carry-over', EVERY_SECONDS, (signal) => carryOver(client, signal));
}

async function carryOver(client: SqlClient, signal: AbortSignal): Promise<void> {
  let moved: number;
  do {
    const [row] = await planned<{ moved: number }>(client, 'SELECT queue.carry_over($1)::int AS moved', [
      BATCH,
    ]);
    moved = row?.moved ?? 0;
  } while (moved >= BATCH && !signal.aborted);
}
