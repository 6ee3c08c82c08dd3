import { gauge, type Metric } from '@millpond/base';
import { refreshedValue } from '../refreshed-value.ts';
import type { Queue } from './queue.ts';

const INTERVAL_MS = 15_000;
const STATES = ['waiting', 'active', 'delayed', 'failed'] as const;

/** Gauges of periodic jobs; equal in every process of the region. */
export function periodicMetrics(queue: Pick<Queue, 'periodicStats'>, names: readonly string[]): Metric[] {
  const read = refreshedValue(() => queue.periodicStats(names), { everyMs: INTERVAL_MS });
  return [
    gauge(
      {
        name: 'millpond_periodic_overdue_seconds',
        help: 'How long ago periodic work should have begun',
        labels: ['periodic'],
      },
      async () =>
        (await read())?.map(({ name, overdueSeconds }) => ({
          labels: { periodic: name },
          value: overdueSeconds,
        })),
    ),
    gauge(
      {
        name: 'millpond_periodic_failed',
        help: 'Whether the last run of periodic work failed',
        labels: ['periodic'],
      },
      async () =>
        (await read())?.map(({ name, failed }) => ({ labels: { periodic: name }, value: failed ? 1 : 0 })),
    ),
  ];
}

/** For the region: every process reports the same. */
export function queueMetrics(queue: Pick<Queue, 'stats'>): Metric[] {
  const read = refreshedValue(() => queue.stats(), { everyMs: INTERVAL_MS });
  return [
    gauge(
      {
        name: 'millpond_queue_jobs',
        help: 'Jobs of the region that are not done',
        labels: ['queue', 'state'],
      },
      async () =>
        (await read())?.flatMap((stats) =>
          STATES.map((state) => ({ labels: { queue: stats.queue, state }, value: stats[state] })),
        ),
    ),
    gauge(
      {
        name: 'millpond_queue_oldest_seconds',
        help: 'How long the oldest job that could run now has waited',
        labels: ['queue'],
      },
      async () =>
        (await read())?.map(({ queue: name, oldestSeconds }) => ({
          labels: { queue: name },
          value: oldestSeconds,
        })),
    ),
  ];
}
