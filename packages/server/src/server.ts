/**
 * The running server: listeners, background work, and a staged shutdown that loses no accepted request.
 */
import { once } from 'node:events';
import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { counter, gauge } from '@millpond/base';
import type { MissingEngines, UnconfinedPermit } from '@millpond/jail';
import { consoleRoutes } from './compose/console.ts';
import { createFeatures, type Features } from './compose/features.ts';
import { type Config, isOfThisMachineOnly } from './config/config.ts';
import { isLoopback, type Listener } from './config/listeners.ts';
import { buildAdmin } from './http/admin.ts';
import { type App, startApp } from './http/app.ts';
import { bindEach } from './http/bind.ts';
import { Certificate } from './http/certificate.ts';
import { ConnectionLimit } from './http/connection-limit.ts';
import { requestIds } from './http/exchange.ts';
import { HostDirectory } from './http/hosts.ts';
import { RequestLog } from './http/request-log.ts';
import { SmallPieces } from './http/small-pieces.ts';
import { Traffic } from './http/traffic.ts';
import { lostMasterKeys } from './identity/accounts/index.ts';
import { type Infra, openInfra } from './infra/infra.ts';
import { pendingMigrations } from './platform/db/migrate.ts';
import { periodicMetrics, queueMetrics } from './platform/queue/queue.metrics.ts';
import { openQueue, type Queue } from './platform/queue/queue.ts';
import {
  type BodyLimits,
  BodyPaceMonitor,
  bodyLimits,
  type ProxyTrust,
  proxyTrust,
  RequestTimes,
} from './platform/web/index.ts';
import { whenThere } from './waiting.ts';
import { defineQueues, startWork } from './work/jobs.ts';

export interface RunningServer {
  /** Where it listens, with the ports that the system chose where the configuration said 0. */
  readonly addresses: readonly string[];
  /** What it can run on users' content, once that is known. */
  engines(): Promise<EngineReport>;
  stop(): Promise<void>;
}

export interface EngineReport {
  readonly missing: MissingEngines;
  /** Whether programs run without a sandbox. */
  readonly isUnconfined: boolean;
}

/** serve: answers requests. work: runs jobs. deliveries: sends events. live: looks after the engines of live streams. */
export type ProcessRole = 'serve' | 'work' | 'deliveries' | 'live';

export interface ServerOptions {
  /** One process may have all roles; each role can also get its own processes. */
  readonly roles: ReadonlySet<ProcessRole>;
  /** Called before the first request or job can come: until then there is nothing to finish, and no need to stop it. */
  readonly onAccepting?: () => void;
  /** Set by `millpond dev` where a machine has no sandbox: users' content is opened without one, so nobody else may reach the server. */
  readonly unconfined?: UnconfinedPermit | undefined;
}

export async function startServer(config: Config, options: ServerOptions): Promise<RunningServer> {
  if (options.unconfined !== undefined) assertRolesConfigured(config, options.roles);
  const infra = openInfra(config, options.unconfined);
  let queue: Queue | undefined;
  let admin: Server | undefined;
  try {
    const listening = await startAdmin(config, infra);
    admin = listening;
    await whenThere(infra, async () => {
      await assertCurrentSchema(infra);
      await assertMasterKeysKnown(infra);
      await infra.blobs.ensureReady();
    });
    const opened = openQueue({ pool: infra.region.pool, log: infra.log });
    queue = opened;
    const features = createFeatures(infra, config, opened);
    await defineQueues(opened, features.jobs);
    const periodic = features.jobs.flatMap(({ name }) => name ?? []);
    infra.metrics.add(...queueMetrics(opened), ...periodicMetrics(opened, periodic), ...features.metrics);
    const { accounts, deliveries, devices, figures, live, objectEvents, requests, usage } = features;
    const writer = figures.writer({
      roles: [...options.roles],
      facts: () => ({
        sandbox: infra.sandbox.unavailable?.problems,
        unconfined: infra.sandbox.isUnconfined === true ? true : undefined,
        sip: devices.sipPort && devices.sipPort.counts.listening > 0,
      }),
    });
    if (options.roles.has('serve')) await features.buckets.regions.publishSelf();
    if (options.roles.has('work')) await features.processing.presence.start();
    options.onAccepting?.();
    const apps = options.roles.has('serve') ? await startListeners(config, infra, features) : [];
    if (options.roles.has('work')) await startWork(opened, features.jobs, infra.log);
    if (options.roles.has('deliveries')) {
      deliveries.sender.start();
      objectEvents.dispatcher.start();
    }
    if (options.roles.has('live')) {
      live.owner.start();
      devices.sipPort?.start();
    }
    if (options.roles.has('serve')) infra.inspection.start();
    infra.coldWatch.start();
    writer.start();
    infra.readiness.started();
    infra.log.info({ addresses: apps.map(({ url }) => url), roles: [...options.roles] }, 'started');
    return {
      addresses: apps.map(({ url }) => url),
      async engines() {
        const { missing } = await infra.media.engine();
        return { missing, isUnconfined: infra.sandbox.isUnconfined === true };
      },
      async stop() {
        infra.readiness.drain();
        if (apps.length > 0) await sleep(config.drainDelay);
        await Promise.all([live.owner.stop(), devices.sipPort?.stop()]);
        await objectEvents.dispatcher.stop();
        await Promise.all([deliveries.sender.stop(), ...apps.map((app) => app.drain(config.drainTimeout))]);
        await Promise.all([
          usage.requests.flush(),
          accounts.keyring.uses.flush(),
          requests.recorder.flush(),
          writer.stop(),
        ]);
        await opened.close();
        await features.processing.presence.stop();
        listening.close();
        await infra.close();
        infra.log.info('stopped');
      },
    };
  } catch (error) {
    admin?.close();
    await queue?.close();
    await infra.close();
    throw error;
  }
}

/** A permit is for one process on a developer's machine, which nobody else reaches. */
function assertRolesConfigured(config: Config, roles: ReadonlySet<ProcessRole>): void {
  const isWhole = (['serve', 'work', 'deliveries', 'live'] as const).every((role) => roles.has(role));
  if (!isWhole || !isOfThisMachineOnly(config))
    throw new Error('without a sandbox a server has all roles in one process, and listens on loopback only');
}

async function assertCurrentSchema(infra: Infra): Promise<void> {
  const pending = [
    ...(await pendingMigrations(infra.control.pool, 'control')).map((file) => `control/${file}`),
    ...(await pendingMigrations(infra.region.pool, 'region')).map((file) => `region/${file}`),
  ];
  if (pending.length > 0) {
    throw new Error(
      `the databases are behind by ${pending.length} migration(s), the first is ${pending[0]}: run \`millpond migrate\``,
    );
  }
}

/** Without the key everything signed would fail, in part only later, when the caches of other processes have expired. */
async function assertMasterKeysKnown({ control, sealer }: Infra): Promise<void> {
  const lost = await lostMasterKeys(control, sealer);
  if (lost.length > 0)
    throw new Error(
      `MILLPOND_MASTER_KEY does not open every access key: ${lost.join(', ')}. Add it from your backup`,
    );
}

async function startAdmin(config: Config, infra: Infra): Promise<Server> {
  const admin = buildAdmin({
    isLocal: isLoopback(config.adminListen),
    metrics: infra.metrics,
    checkReady: () => infra.readiness.check(),
  });
  const { address, port } = config.adminListen;
  admin.listen(port, address);
  await once(admin, 'listening');
  return admin;
}

async function startListeners(config: Config, infra: Infra, features: Features): Promise<App[]> {
  const trust = proxyTrust(config.trustedProxies);
  const parts = {
    config,
    certificate: openCertificate(config, infra),
    hosts: new HostDirectory(config.hosts, config.downloadSuffix),
    trust,
    bodies: openBodyLimits(config, infra),
    arriving: watchBodies(config, infra),
    connections: limitConnections(config, infra, trust),
    pieces: limitPieces(infra, trust),
    routes: [...features.routes, ...(await consoleRoutes(features, infra, config))],
    requestLog: new RequestLog(infra.log, config.logRequests),
    requestTimes: new RequestTimes(),
    traffic: new Traffic(),
    traces: features.requests.recorder,
    nextRequestId: requestIds(),
    state: infra.readiness,
  };
  infra.metrics.add(parts.requestTimes.metric, ...parts.traffic.metrics());
  const listening = await Promise.all(
    config.listen.map((listener: Listener) => bindEach(listener, (bound) => startApp(bound, parts))),
  );
  return listening.flat();
}

function openCertificate(
  { listen, tlsCert, tlsKey }: Config,
  { log, metrics }: Infra,
): Certificate | undefined {
  const isNeeded = listen.some(({ tls }) => tls) && tlsCert !== undefined && tlsKey !== undefined;
  const certificate = isNeeded ? new Certificate({ cert: tlsCert, key: tlsKey }, log) : undefined;
  metrics.add(
    gauge(
      { name: 'millpond_certificate_left_seconds', help: 'Time until the certificate of listeners expires' },
      () => certificate?.secondsLeft,
    ),
  );
  return certificate;
}

/** Shared by all listeners. */
function openBodyLimits({ bodyMemory, openBodyMemory }: Config, { metrics }: Infra): BodyLimits {
  const limits = bodyLimits({ account: bodyMemory, open: openBodyMemory });
  const heldBytes = () => limits.account.budget.heldBytes + limits.open.budget.heldBytes;
  metrics.add(gauge({ name: 'millpond_held_body_bytes', help: 'Request bodies held in memory' }, heldBytes));
  return limits;
}

function watchBodies(
  { bodyTimeout, leastUploadRate: minUploadRate }: Config,
  { metrics }: Infra,
): BodyPaceMonitor {
  const arriving = new BodyPaceMonitor({ unprovenMs: bodyTimeout, least: minUploadRate });
  metrics.add(
    counter(
      { name: 'millpond_bodies_given_up_total', help: 'Request bodies that arrived too slowly' },
      () => arriving.givenUp,
    ),
  );
  return arriving;
}

function limitConnections(
  { connectionsPerAddress }: Config,
  { metrics }: Infra,
  trust: ProxyTrust,
): ConnectionLimit {
  const connections = new ConnectionLimit(connectionsPerAddress, trust);
  metrics.add(
    counter(
      {
        name: 'millpond_connections_refused_total',
        help: 'Connections and requests refused because their address had too many',
      },
      () => connections.refused,
    ),
  );
  return connections;
}

function limitPieces({ metrics }: Infra, trust: ProxyTrust): SmallPieces {
  const pieces = new SmallPieces(trust);
  metrics.add(
    counter(
      {
        name: 'millpond_bodies_slowed_down_total',
        help: 'Request bodies that were read more slowly because they came in tiny pieces',
      },
      () => pieces.slowedDown,
    ),
  );
  return pieces;
}
