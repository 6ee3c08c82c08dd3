/** Figures of small objects. Inbox and packs are of the region: every process reports the same. */
import { counter, gauge, type Metric } from '@millpond/base';
import { refreshedValue } from '../../../platform/refreshed-value.ts';
import type { SmallBlobs } from '../../../platform/small-blobs/index.ts';
import type { InboxStore } from './inbox.store.ts';
import type { PackStats, PackStore } from './pack.store.ts';

const INTERVAL_MS = 15_000;

export interface SmallMetricDeps {
  readonly inbox: InboxStore;
  readonly packs: PackStore;
  readonly blobs: Pick<SmallBlobs, 'cache' | 'reads'>;
}

export function smallMetrics({ inbox, packs, blobs }: SmallMetricDeps): Metric[] {
  const slots = refreshedValue(() => inbox.slots(), { everyMs: INTERVAL_MS });
  const readPacks = refreshedValue(() => packs.figures(), { everyMs: INTERVAL_MS });
  const figure = (name: keyof PackStats) => async () => (await readPacks())?.[name];
  return [
    gauge(
      { name: 'millpond_inbox_bytes', help: 'Disk used by small objects that wait to be packed' },
      async () => (await slots())?.reduce((sum, slot) => sum + Number(slot.bytes), 0),
    ),
    gauge(
      {
        name: 'millpond_inbox_slots_waiting',
        help: 'Closed slots of the inbox with bytes that are not packed',
      },
      async () =>
        (await slots())?.filter((slot) => !slot.is_open && !slot.is_empty && slot.packed_ms === null).length,
    ),
    gauge({ name: 'millpond_packs', help: 'Engine blobs that hold packed small objects' }, figure('packs')),
    gauge({ name: 'millpond_packs_bytes', help: 'Size of all packs' }, figure('bytes')),
    gauge(
      { name: 'millpond_packs_live_bytes', help: 'Bytes in packs that objects or the trash still name' },
      figure('liveBytes'),
    ),
    gauge(
      { name: 'millpond_small_cache_bytes', help: 'Bytes of small objects in this process’s memory' },
      () => blobs.cache.bytes,
    ),
    counter(
      {
        name: 'millpond_small_reads_total',
        help: 'Reads of small objects, by where their bytes were found',
        labels: ['place'],
      },
      () => Object.entries(blobs.reads).map(([place, value]) => ({ labels: { place }, value })),
    ),
  ];
}
