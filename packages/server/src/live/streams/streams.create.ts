/** Builds live: the parts that calls and hooks use in every process, and the owner that works in the background. */
import type { Log } from '@millpond/base';
import type { MediaEngine } from '@millpond/jail';
import type { OutboundClient } from '@millpond/outbound';
import type { Deliveries } from '../../events/deliveries/index.ts';
import {
  type AccountStates,
  type Authenticate,
  requireAdminister,
  type SigningKeys,
  type Tenants,
} from '../../identity/accounts/index.ts';
import type { Results } from '../../media/processing/index.ts';
import type { Database } from '../../platform/db/database.ts';
import { type Feature, HOUR_SECONDS } from '../../platform/feature.ts';
import { LeaseStore } from '../../platform/leases/leases.store.ts';
import type { Sealer } from '../../platform/secrets/sealer.ts';
import { resourceRoutes } from '../../platform/web/resources/index.ts';
import type { Buckets } from '../../storage/buckets/index.ts';
import type { Objects } from '../../storage/objects/index.ts';
import { type Engine, type EngineKind, openEngine } from './engines/index.ts';
import { LiveEvents } from './events.ts';
import { namespaceRoutes, templateRoutes } from './namespaces/namespace.routes.ts';
import { NamespaceStore } from './namespaces/namespace.store.ts';
import { Namespaces } from './namespaces/namespaces.ts';
import { TemplateStore } from './namespaces/template.store.ts';
import { Templates } from './namespaces/templates.ts';
import { playRoutes } from './play/play.routes.ts';
import { type RecordRouteDeps, recordRoutes } from './recordings/recordings.routes.ts';
import { RecordStore } from './recordings/recordings.store.ts';
import { Recordings } from './recordings/recordings.ts';
import { hookRoutes } from './sessions/hook.routes.ts';
import { LiveFiguresStore } from './sessions/sessions.figures.store.ts';
import { SessionStore } from './sessions/stream-sessions.store.ts';
import { Sessions } from './sessions/stream-sessions.ts';
import { SnapStore } from './snapshots/snap.store.ts';
import { Snapshots } from './snapshots/snapshots.ts';
import { FeedStore } from './streams/feed.store.ts';
import { IngestStore } from './streams/ingest.store.ts';
import { IngestStats } from './streams/ingest.ts';
import { Feeds } from './streams/internal-publish.ts';
import { streamRoutes } from './streams/stream.routes.ts';
import { StreamStore } from './streams/stream.store.ts';
import { Streams } from './streams/streams.ts';
import { liveMetrics } from './streams.metrics.ts';
import { LiveOwner } from './upkeep/engine-owner.ts';

export interface LiveDeps {
  readonly region: Database;
  readonly log: Log;
  readonly outbound: OutboundClient;
  readonly sealer: Sealer;
  readonly media: () => Promise<MediaEngine>;
  readonly buckets: Buckets;
  readonly objects: Objects;
  readonly results: Results;
  readonly deliveries: Deliveries;
  readonly keys: SigningKeys;
  readonly accounts: AccountStates;
  readonly tenants: Tenants;
  readonly authenticate: Authenticate;
  readonly downloadsAt: RecordRouteDeps['downloadsAt'];
}

/** The settings, by name. */
export interface LiveSettings {
  readonly liveEngines: readonly { readonly id: string; readonly kind: EngineKind; readonly url: string }[];
  readonly liveHookSecret: string | undefined;
  readonly liveRecordFolder: string;
  readonly liveRtmpUrl: string;
  readonly sipMediaRtmpUrl: string | undefined;
  readonly livePlayUrl: string | undefined;
  readonly liveProgressEvents: boolean;
  readonly liveReconcileEvery: number;
  readonly liveLease: number;
  readonly liveRecordSlots: number;
  readonly liveSnapSlots: number;
  readonly liveSnapTimeout: number;
  readonly controlCache: number;
}

export interface LiveFeature extends Feature {
  readonly engines: readonly Engine[];
  readonly events: LiveEvents;
  readonly feeds: Feeds;
  readonly namespaces: Namespaces;
  readonly streams: Streams;
  readonly records: RecordStore;
  readonly owner: LiveOwner;
}

/** How long ended sessions are shown. */
const SESSION_DAYS = 30;
/** How long the stream of a removed device stays once it is offline: time enough for its last recording to be reported. */
const ENDED_STREAM_SECONDS = 60;

export function createLive(deps: LiveDeps, settings: LiveSettings): LiveFeature {
  const { region, log, outbound, sealer, media, buckets, objects, results, deliveries, keys } = deps;
  const secret = settings.liveHookSecret;
  const opened = settings.liveEngines.map(({ id, kind, url }) => openEngine(id, kind, url, secret));
  const engines = new Map(opened.map((engine) => [engine.id, engine]));
  const tellsProgress = settings.liveProgressEvents;

  const ingestStore = new IngestStore(region);
  const namespaceStore = new NamespaceStore(region);
  const templateStore = new TemplateStore(region);
  const sessionStore = new SessionStore(region);
  const records = new RecordStore(region);
  const snaps = new SnapStore(region);
  const events = new LiveEvents({ namespaces: namespaceStore, deliveries });
  const templates = new Templates({ store: templateStore, buckets });
  const namespaces = new Namespaces({
    store: namespaceStore,
    templates,
    deliveries,
    outbound,
    tenants: deps.tenants,
  });
  const streams = new Streams({
    store: new StreamStore(region),
    sessions: sessionStore,
    namespaces,
    templates,
    sealer,
    engines,
  });
  const rtmpUrl = settings.sipMediaRtmpUrl ?? settings.liveRtmpUrl;
  const feedStore = new FeedStore(region);
  const feeds = new Feeds({ store: feedStore, sealer, rtmpUrl });
  const sessions = new Sessions({ store: sessionStore, events, sealer, accounts: deps.accounts });
  const work = { templates: templateStore, events, buckets, results, media, log };
  const recordings = new Recordings(
    { store: records, ...work },
    { folder: settings.liveRecordFolder, tellsProgress },
  );
  const snapshots = new Snapshots(
    { store: snaps, engines, ...work },
    { timeoutMs: settings.liveSnapTimeout, tellsProgress },
  );
  const owner = new LiveOwner(
    {
      store: sessionStore,
      leases: new LeaseStore(region),
      engines: opened,
      events,
      sessions,
      recordings,
      snapshots,
      ingests: ingestStore,
      log,
    },
    {
      leaseMs: settings.liveLease,
      reconcileMs: settings.liveReconcileEvery,
      recordSlots: settings.liveRecordSlots,
      snapSlots: settings.liveSnapSlots,
    },
  );
  const route = resourceRoutes({
    role: 'live',
    authenticate: requireAdminister(deps.authenticate),
    plainHttp: true,
  });
  const ingests = new IngestStats(ingestStore, opened);
  const urls = opened.length === 0 ? undefined : { rtmp: settings.liveRtmpUrl, play: settings.livePlayUrl };
  return {
    engines: opened,
    events,
    feeds,
    namespaces,
    streams,
    records,
    owner,
    routes: [
      ...namespaceRoutes(route, namespaces, streams),
      ...templateRoutes(route, templates),
      ...streamRoutes(route, { namespaces, streams, records, snapshots, ingests, urls }),
      ...recordRoutes(route, { streams, records, snaps, objects, keys, downloadsAt: deps.downloadsAt }),
      ...playRoutes({ streams, accounts: deps.accounts, freshMs: settings.controlCache }),
      ...hookRoutes({ engines, secret, sessions, recordings, log }),
    ],
    jobs: [
      {
        // Those that were there before it was written, and those that a server of that version made.
        name: 'live-tenants',
        everySeconds: 60,
        says: 'accounts of namespaces looked up',
        run: async () => ({ settled: await namespaces.settleTenants() }),
      },
      {
        // Forgets sessions, recordings and snapshots that ended long ago.
        name: 'live-forget',
        everySeconds: HOUR_SECONDS,
        async run() {
          await sessionStore.forget(SESSION_DAYS);
          await Promise.all([records.forget(), snaps.forget()]);
          return {};
        },
      },
      {
        name: 'live-streams-of-devices',
        everySeconds: ENDED_STREAM_SECONDS,
        says: 'streams of removed devices ended',
        run: async () => ({ removed: await feedStore.forgetEnded(ENDED_STREAM_SECONDS) }),
      },
    ],
    metrics: liveMetrics(new LiveFiguresStore(region)),
  };
}
