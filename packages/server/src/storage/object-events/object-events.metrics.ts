import { gauge, type Metric } from '@millpond/base';
import { refreshedValue } from '../../platform/refreshed-value.ts';
import type { ObjectEventStore, PendingStats } from './object-event.store.ts';

const INTERVAL_MS = 15_000;

/** Region-wide: identical in every process. */
export function objectEventMetrics(store: ObjectEventStore): Metric[] {
  const read = refreshedValue(() => store.pendingStats(), { everyMs: INTERVAL_MS });
  const figure = (name: keyof PendingStats) => async () => (await read())?.[name];
  return [
    gauge(
      {
        name: 'millpond_object_events_untold',
        help: 'Changes of objects in the region of which no delivery was made yet',
      },
      figure('pending'),
    ),
    gauge(
      {
        name: 'millpond_object_events_late_seconds',
        help: 'How long ago the oldest of these changes was made',
      },
      figure('lateSeconds'),
    ),
  ];
}
