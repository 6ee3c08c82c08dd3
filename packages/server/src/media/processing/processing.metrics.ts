import { counter, gauge, type Metric } from '@millpond/base';
import { refreshedValue } from '../../platform/refreshed-value.ts';
import type { ItemRunner } from './run/item-runner.ts';
import type { TaskStatsStore } from './task-stats.store.ts';

const INTERVAL_MS = 15_000;

export function processingMetrics({ counts, timer }: ItemRunner, store: TaskStatsStore): Metric[] {
  const read = refreshedValue(() => store.read(), { everyMs: INTERVAL_MS });
  return [
    timer,
    gauge(
      { name: 'millpond_tasks', help: 'Tasks of the region that are not finished', labels: ['state'] },
      async () => {
        const figures = await read();
        return (
          figures &&
          (['waiting', 'running'] as const).map((state) => ({ labels: { state }, value: figures[state] }))
        );
      },
    ),
    counter(
      {
        name: 'millpond_task_items_made_total',
        help: 'Commands of tasks that this process has run',
      },
      () => counts.made,
    ),
    counter(
      {
        name: 'millpond_task_items_reused_total',
        help: 'Commands whose result was copied from an earlier one',
      },
      () => counts.reused,
    ),
    counter(
      {
        name: 'millpond_task_items_returned_total',
        help: 'Commands that were not run because their target existed',
      },
      () => counts.returned,
    ),
  ];
}
