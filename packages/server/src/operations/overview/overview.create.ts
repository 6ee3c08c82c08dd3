/** Builds the overview: it only reads what the features below it have. */
import type { BlobStore } from '@millpond/blobs';
import type { DeliveriesFeature } from '../../events/deliveries/index.ts';
import type { Authenticate } from '../../identity/accounts/index.ts';
import type { LiveFeature } from '../../live/streams/index.ts';
import type { ProcessingFeature } from '../../media/processing/index.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Feature } from '../../platform/feature.ts';
import { refreshedValue } from '../../platform/refreshed-value.ts';
import type { Buckets } from '../../storage/buckets/index.ts';
import type { ObjectsFeature } from '../../storage/objects/index.ts';
import type { UsageFeature } from '../../storage/usage/index.ts';
import type { FiguresFeature } from '../figures/index.ts';
import { diskCapacity, statedCapacity } from './capacity.ts';
import { ConnectionStore } from './connection.store.ts';
import { FailureStore } from './failure.store.ts';
import { Failures } from './overview.failures.ts';
import { Health } from './overview.health.ts';
import { capacityMetrics } from './overview.metrics.ts';
import { overviewRoutes } from './overview.routes.ts';
import { OverviewStore } from './overview.store.ts';
import { Overview } from './overview.ts';

export interface OverviewFeatureDeps {
  readonly control: Database;
  readonly region: Database;
  readonly blobs: BlobStore;
  readonly coldWatch: { readonly fault: string | undefined };
  readonly authenticate: Authenticate;
  readonly buckets: Buckets;
  readonly usage: Pick<UsageFeature, 'stored'>;
  readonly figures: Pick<FiguresFeature, 'processes' | 'requestsByDay'>;
  readonly objects: Pick<ObjectsFeature, 'restores' | 'unnamedBytes'>;
  readonly deliveries: Pick<DeliveriesFeature, 'queued'>;
  readonly processing: Pick<ProcessingFeature, 'pipelines' | 'taskFigures'>;
  readonly live: Pick<LiveFeature, 'engines'>;
}

/** Settings by name. */
export interface OverviewSettings {
  readonly blobs: 's3' | 'disk';
  readonly diskRoot: string | undefined;
  readonly capacity: number | undefined;
  readonly sipListen: { readonly address: string; readonly port: number } | undefined;
}

export interface OverviewFeature extends Feature {
  readonly overview: Overview;
  readonly failures: Failures;
  readonly health: Health;
}

export function createOverview(deps: OverviewFeatureDeps, settings: OverviewSettings): OverviewFeature {
  const { control, region, buckets, usage, figures } = deps;
  const { sipListen } = settings;
  const overview = new Overview({
    store: new OverviewStore(control, region),
    buckets,
    stored: usage.stored,
    pipelines: deps.processing.pipelines,
    tasks: deps.processing.taskFigures,
    restores: deps.objects.restores,
    queued: deps.deliveries.queued,
    requestsByDay: figures.requestsByDay,
  });
  const used = async () => {
    const [stored, unnamed] = await Promise.all([usage.stored(undefined), deps.objects.unnamedBytes()]);
    return Number(stored.reduce((sum, { bytes }) => sum + bytes, 0n)) + unnamed;
  };
  // With an S3 engine it counts the trash, once a minute for all callers.
  const capacity = refreshedValue(
    settings.diskRoot !== undefined && settings.blobs === 'disk'
      ? diskCapacity(settings.diskRoot)
      : statedCapacity(settings.capacity, used),
    { everyMs: 60_000 },
  );
  const health = new Health({
    connections: { control: new ConnectionStore(control), region: new ConnectionStore(region) },
    blobs: deps.blobs,
    coldWatch: deps.coldWatch,
    blobKind: settings.blobs,
    engines: deps.live.engines,
    processes: figures.processes,
    capacity,
    sipPlace: sipListen && `${sipListen.address}:${sipListen.port}`,
  });
  const failures = new Failures(new FailureStore(region));
  return {
    overview,
    failures,
    health,
    routes: overviewRoutes({ authenticate: deps.authenticate, overview, failures, health }),
    jobs: [],
    metrics: capacityMetrics(capacity),
  };
}
