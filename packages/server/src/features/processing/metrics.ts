import { counter, type Metric } from '../../platform/metrics.ts';
import type { ItemRunner } from './run/item-runner.ts';

export function processingMetrics({ counts, timer }: ItemRunner): Metric[] {
  return [
    timer,
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
