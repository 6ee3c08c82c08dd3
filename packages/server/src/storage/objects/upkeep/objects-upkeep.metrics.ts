import { gauge, type Metric } from '@millpond/base';
import { refreshedValue } from '../../../platform/refreshed-value.ts';
import type { RestoresStore } from './restores.store.ts';
import type { TrashStats, TrashStatsStore } from './trash-stats.store.ts';
import type { TrashStore } from './trash-upkeep.store.ts';

const INTERVAL_MS = 60_000;
const RESTORES_INTERVAL_MS = 15_000;

export function trashMetrics(store: TrashStatsStore): Metric[] {
  const read = refreshedValue(() => store.read(), { everyMs: INTERVAL_MS });
  const figure = (name: keyof TrashStats) => async () => (await read())?.[name];
  return [
    gauge({ name: 'millpond_trash_rows', help: 'Entries in the region’s trash' }, figure('rows')),
    gauge({ name: 'millpond_trash_bytes', help: 'Bytes in the region’s trash' }, figure('bytes')),
    gauge(
      { name: 'millpond_trash_oldest_seconds', help: 'Age of the oldest entry in the region’s trash' },
      figure('oldestSeconds'),
    ),
  ];
}

/**
 * By the place that the sweep has reached: a run that never ends looks like one that has just begun. Between two sweeps it grows to
 * the interval between them.
 */
export function sweepMetrics(store: Pick<TrashStore, 'sweepRange'>, sweepAgeMs: number): Metric[] {
  const range = refreshedValue(() => store.sweepRange(sweepAgeMs), { everyMs: INTERVAL_MS });
  return [
    gauge(
      {
        name: 'millpond_sweep_behind_seconds',
        help: 'How far the sweep is behind the bytes that it is to look at',
      },
      async () => {
        const due = await range();
        return due && Math.max(0, (due.to.getTime() - due.from.getTime()) / 1000);
      },
    ),
  ];
}

/** Region-wide: identical in every process. */
export function restoreMetrics(store: RestoresStore): Metric[] {
  const count = refreshedValue(() => store.count(), { everyMs: RESTORES_INTERVAL_MS });
  return [
    gauge({ name: 'millpond_restores', help: 'Objects of archive classes that are being restored' }, count),
  ];
}
