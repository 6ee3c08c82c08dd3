import { gauge, type Metric, Timer } from '@millpond/base';
import type { Database } from './database.ts';

export function statementTimer(): Timer<'pool' | 'outcome'> {
  return new Timer({
    name: 'millpond_statement_seconds',
    help: 'Duration of statements, without the wait for a connection',
    labels: ['pool', 'outcome'],
  });
}

/** By pool name. */
export function databaseMetrics(databases: Readonly<Record<string, Database>>): Metric[] {
  const each = (read: (pool: Database['pool']) => number) => () =>
    Object.entries(databases).map(([pool, database]) => ({ labels: { pool }, value: read(database.pool) }));
  return [
    gauge(
      { name: 'millpond_db_connections', help: 'Connections to the database', labels: ['pool'] },
      each((pool) => pool.totalCount),
    ),
    gauge(
      { name: 'millpond_db_idle', help: 'Idle connections to the database', labels: ['pool'] },
      each((pool) => pool.idleCount),
    ),
    gauge(
      {
        name: 'millpond_db_waiting',
        help: 'Requests that wait for a connection to the database',
        labels: ['pool'],
      },
      each((pool) => pool.waitingCount),
    ),
  ];
}
