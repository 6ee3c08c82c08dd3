/** Builds the packing of small objects: its two jobs and its figures. */
import type { Database } from '../../../platform/db/database.ts';
import { everySeconds, type Feature, type PeriodicJob } from '../../../platform/feature.ts';
import type { SmallBlobs } from '../../../platform/small-blobs/index.ts';
import { Compactor } from './compactor.ts';
import { InboxStore } from './inbox.store.ts';
import { PackStore } from './pack.store.ts';
import { Packer } from './packer.ts';
import { smallMetrics } from './packs.metrics.ts';

/** A full slot should not wait longer: others fill up meanwhile. */
const PACK_EVERY_SECONDS = 5;
/** Longer than it takes a dump from its beginning to the lock on all tables. */
const EMPTY_AFTER_MS = 60_000;

export interface PackSettings {
  readonly packAfter: number;
  readonly commitWindow: number;
  readonly collectEvery: number;
  readonly trashGrace: number;
}

export interface PackFeature extends Pick<Feature, 'metrics'> {
  /** For operators: packs all that waits, however little it is, and rewrites packs with holes. Both return how many. */
  readonly packing: {
    packNow(signal: AbortSignal): Promise<number>;
    compact(signal: AbortSignal): Promise<number>;
  };
  readonly jobs: readonly PeriodicJob[];
  readonly figures: PackStore['figures'];
}

export function createPacks(region: Database, blobs: SmallBlobs, settings: PackSettings): PackFeature {
  const inbox = new InboxStore(region);
  const packs = new PackStore(region, settings.commitWindow);
  const emptyAfterMs = Math.min(EMPTY_AFTER_MS, settings.trashGrace);
  const packer = (packAfterMs: number) => new Packer({ inbox, packs, blobs, packAfterMs, emptyAfterMs });
  const compactor = new Compactor({ packs, blobs });
  return {
    packing: {
      packNow: async (signal) => (await packer(0).run(signal)).blobs,
      compact: (signal) => compactor.run(signal),
    },
    figures: () => packs.figures(),
    metrics: smallMetrics({ inbox, packs, blobs }),
    jobs: [
      {
        name: 'small-pack',
        everySeconds: PACK_EVERY_SECONDS,
        says: 'small objects packed',
        run: async (signal) => ({ ...(await packer(settings.packAfter).run(signal)) }),
      },
      {
        name: 'pack-compact',
        everySeconds: everySeconds(settings.collectEvery),
        says: 'packs with holes rewritten',
        run: async (signal) => ({ rewritten: await compactor.run(signal) }),
      },
    ],
  };
}
