/** Opens what the configuration names: databases, blob store, sandbox, log, metrics. Closes them in reverse order. */
import path from 'node:path';
import { gauge, type Log, Metrics, openLog, type Timer } from '@millpond/base';
import {
  type BlobStore,
  createDiskBlobStore,
  createS3BlobStore,
  createWriteBudget,
  engineTimer,
  measuredBlobs,
} from '@millpond/blobs';
import type { UnconfinedPermit } from '@millpond/jail';
import {
  createOutboundClient,
  type ListenAddress,
  type OutboundClient,
  type OutboundClientOptions,
} from '@millpond/outbound';
import type { Config } from '../config/config.ts';
import { QUEUE_SETTINGS } from '../events/deliveries/index.ts';
import { Database, type DatabaseOptions } from '../platform/db/database.ts';
import { databaseMetrics, statementTimer } from '../platform/db/db.metrics.ts';
import { parseMasterKeys, Sealer } from '../platform/secrets/sealer.ts';
import { type SmallBlobs, SmallStore, smallBlobs } from '../platform/small-blobs/index.ts';
import { type ArchiveTierCheck, openArchiveTierCheck } from './archive-tier-check.ts';
import { type Inspection, openInspection } from './inspection.ts';
import { type Media, openMedia } from './media.ts';
import { Readiness } from './readiness.ts';
import { openSharedSandbox, type SharedSandbox } from './sandbox.ts';

export interface Infra {
  readonly log: Log;
  readonly metrics: Metrics;
  readonly control: Database;
  readonly region: Database;
  /** The region's database, for the event sender. */
  readonly sending: Database;
  readonly blobs: SmallBlobs;
  readonly coldWatch: ArchiveTierCheck;
  readonly readiness: Readiness;
  readonly sealer: Sealer;
  readonly outbound: OutboundClient;
  /** For callbacks of uploads and tasks: hanging origins of fetches take no capacity from it. */
  readonly callbackOutbound: OutboundClient;
  readonly inspection: Inspection;
  readonly media: Media;
  readonly sandbox: Pick<SharedSandbox, 'unavailable' | 'isUnconfined'>;
  /**
   * For events: as many origins as there are receivers. The sender decides how much goes to one endpoint; endpoints of one
   * origin, possibly of several accounts, do not wait for each other's connections.
   */
  readonly eventOutbound: OutboundClient;
  /** For requests to the provider that people sign in with. */
  readonly oidcOutbound: OutboundClient;
  close(): Promise<void>;
}

export function openInfra(config: Config, unconfined?: UnconfinedPermit): Infra {
  const sealer = new Sealer(parseMasterKeys(config.masterKeys));
  const log = openLog(config.logLevel, config.logOutput);
  const metrics = new Metrics();
  const timer = statementTimer();
  const control = openDatabase('control', config.controlDb, config, log, timer);
  const region = openDatabase('region', config.regionDb, config, log, timer);
  const sending = openDatabase('sending', config.regionDb, config, log, timer, SENDING);
  const engineSeconds = engineTimer();
  const blobs = smallBlobs(measuredBlobs(openBlobs(config), engineSeconds), new SmallStore(region), {
    smallBytes: config.smallObjects,
    cacheBytes: config.smallCache,
    inboxBytes: config.smallInbox,
  });
  const coldWatch = openArchiveTierCheck({ blobs, log });
  metrics.add(
    timer,
    ...databaseMetrics({ control, region, sending }),
    engineSeconds,
    gauge(
      {
        name: 'millpond_cold_class_fault',
        help: 'Whether the engine refuses bytes of the archive classes',
      },
      () => (coldWatch.fault === undefined ? 0 : 1),
    ),
  );
  const outbound = openOutbound(config, log);
  const callbackOutbound = openOutbound(config, log, { maxOrigins: CALLBACK_ORIGINS });
  const oidcOutbound = openOutbound({ ...config, outboundAllow: config.oidcNetworks }, log);
  const shared = openSharedSandbox(config, unconfined);
  const inspection = openInspection(config, shared, log, metrics);
  const media = openMedia(config, shared);
  const eventOutbound = openOutbound(config, log, {
    maxOrigins: 8 * config.deliverySlots,
    connectionsPerOrigin: config.deliverySlots,
  });
  return {
    log,
    metrics,
    control,
    region,
    sending,
    blobs,
    coldWatch,
    readiness: new Readiness({ region, blobs, coldWatch }),
    sealer,
    outbound,
    callbackOutbound,
    inspection,
    media,
    sandbox: shared,
    eventOutbound,
    oidcOutbound,
    async close() {
      await Promise.all([inspection.close(), media.close()]);
      await shared.close();
      await Promise.all(
        [outbound, callbackOutbound, eventOutbound, oidcOutbound].map((each) => each.close()),
      );
      await coldWatch.close();
      await blobs.close();
      await Promise.all([control.close(), region.close(), sending.close()]);
    },
  };
}

/** As many as there may be users' servers at a time; an idle one costs almost nothing. */
const CALLBACK_ORIGINS = 2048;

/** A few separate connections that requests cannot use up. */
const SENDING: Partial<DatabaseOptions> = { connections: 6, settings: QUEUE_SETTINGS };

function openDatabase(
  name: string,
  url: string,
  config: Config,
  log: Log,
  timer: Timer<'pool' | 'outcome'>,
  others: Partial<DatabaseOptions> = {},
): Database {
  return new Database({
    url,
    connections: config.dbConnections,
    timeoutMs: config.dbTimeout,
    applicationName: name,
    log,
    timer,
    ...others,
  });
}

export function openBlobs(config: Config): BlobStore {
  if (config.blobs === 'disk') return createDiskBlobStore({ root: path.resolve(need(config.diskRoot)) });
  return createS3BlobStore({
    endpoint: need(config.s3Endpoint),
    region: config.s3Region,
    accessKey: need(config.s3AccessKey),
    secretKey: need(config.s3SecretKey),
    bucket: config.s3Bucket,
    coldClass: config.s3ColdClass,
    budget: createWriteBudget(config.writeBuffers),
    verifyWrites: config.s3VerifyWrites,
    limits: { readConnections: config.s3Connections, writeConnections: config.s3Connections },
  });
}

export function openOutbound(config: Config, log: Log, limits: OutboundClientOptions = {}): OutboundClient {
  const names = new Set([...config.hosts.map(({ host }) => host), ...ownNames(config)]);
  const suffix = config.downloadSuffix;
  const listeners = ownListeners(config);
  return createOutboundClient({
    ...limits,
    allow: config.outboundAllow,
    proxy: config.outboundProxy,
    ownListeners: () => listeners,
    isOwnHost: (host) =>
      names.has(host) || (suffix !== undefined && host.replace(/:\d+$/, '').endsWith(`.${suffix}`)),
    onBlocked: (blocked) => log.warn(blocked, 'request to a user’s URL blocked'),
  });
}

/** The configuration checks guarantee that it is there. */
function need<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('a setting that was checked is missing');
  return value;
}

/**
 * Where this installation itself listens: no user's URL may lead there, whatever ranges are opened. Some of these listeners do
 * not ask for a credential.
 */
type Listening = Pick<Config, 'listen' | 'adminListen' | 'sipListen' | 'liveEngines'>;

function ownListeners({ listen, adminListen, sipListen, liveEngines }: Listening): ListenAddress[] {
  const engines = liveEngines.map(({ url }) => {
    const { hostname } = new URL(url);
    return { address: hostname.replace(/^\[|\]$/g, ''), port: portOf(url) };
  });
  return [...listen, adminListen, ...(sipListen === undefined ? [] : [sipListen]), ...engines].map(
    ({ address, port }) => ({ address, port }),
  );
}

/** The engines' names with their ports: no URL may have them, whatever they resolve to. */
function ownNames({ liveEngines }: Pick<Config, 'liveEngines'>): string[] {
  return liveEngines.map(({ url }) => `${new URL(url).hostname}:${portOf(url)}`);
}

function portOf(url: string): number {
  const { port, protocol } = new URL(url);
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
}
