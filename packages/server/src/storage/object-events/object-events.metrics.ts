import { gauge, type Metric } from '@millpond/base';
import { refreshedFigures } from '../../platform/refreshed-figures.ts';
import type { ObjectEventStore, UntoldFigures } from './object-event.store.ts';

const EVERY_MS = 15_000;

/** Of the region: every process reports the same values. */
export function objectEventMetrics(store: ObjectEventStore): Metric[] {
  const read = refreshedFigures(() => store.untold(), { everyMs: EVERY_MS });
  const figure = (name: keyof UntoldFigures) => async () => (await read())?.[name];
  return [
    gauge(
      {
        name: 'millpond_object_events_untold',
        help: 'Changes of objects in the region of which no delivery was made yet',
      },
      figure('untold'),
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
