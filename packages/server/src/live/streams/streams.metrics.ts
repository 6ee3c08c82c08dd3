import { gauge, type Metric } from '@millpond/base';
import { refreshedValue } from '../../platform/refreshed-value.ts';
import type { LiveFiguresStore } from './sessions/sessions.figures.store.ts';

const INTERVAL_MS = 15_000;

/** Region-wide: identical in every process. */
export function liveMetrics(store: LiveFiguresStore): Metric[] {
  const publishers = refreshedValue(() => store.publishers(), { everyMs: INTERVAL_MS });
  return [
    gauge(
      { name: 'millpond_live_publishers', help: 'Publishers at the region’s engines of live streams' },
      publishers,
    ),
  ];
}
