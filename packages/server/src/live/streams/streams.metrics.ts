import { gauge, type Metric } from '@millpond/base';
import { refreshedFigures } from '../../platform/refreshed-figures.ts';
import type { LiveFiguresStore } from './sessions/sessions.figures.store.ts';

const EVERY_MS = 15_000;

/** Of the region: every process reports the same. */
export function liveMetrics(store: LiveFiguresStore): Metric[] {
  const publishers = refreshedFigures(() => store.publishers(), { everyMs: EVERY_MS });
  return [
    gauge(
      { name: 'millpond_live_publishers', help: 'Publishers at the region’s engines of live streams' },
      publishers,
    ),
  ];
}
