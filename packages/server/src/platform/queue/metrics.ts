import { gauge, type Metric } from '../metrics.ts';
import { refreshedFigures } from '../refreshed-figures.ts';
import type { Queue } from './queue.ts';

const EVERY_MS = 15_000;
const STATES = ['waiting', 'active', 'delayed', 'failed'] as const;

/** For the region: every process reports the same. */
export function queueMetrics(queue: Pick<Queue, 'stats'>): Metric[] {
  const read = refreshedFigures(() => queue.stats(), { everyMs: EVERY_MS });
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
