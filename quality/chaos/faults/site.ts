/**
 * What a storm hits: two gateways, one of them behind nginx, a worker and a PostgreSQL of their own, with a link between
 * each two that talk.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type RunningNginx, startNginx } from '@millpond/deploy/nginx';
import { type SparePostgres, startSparePostgres } from '@millpond/engines';
import { CLOCK_JUMP, freePort } from '@millpond/testing';
import { KillableServer } from '../load/server.ts';
import { type RunContext, type RunEnvironment, withRunEnvironment } from '../run-environment.ts';
import { Link } from './link.ts';
import { Volume } from './volume.ts';

/** Room for the longest run; it is memory only when it is used. */
const VOLUME_GIB = 12;
/** One gateway's clock goes ahead by this, the other's falls back. Engines refuse requests that are off by 15 minutes. */
const JUMP_MS = 10 * 60_000;

const GATEWAY = ['serve', '--no-work'];
/** Where the configuration needs an address that nobody asks for. */
const NO_ENGINE = 'http://127.0.0.1:9';

export interface Process {
  readonly name: string;
  readonly server: KillableServer;
  /** By the name of what is at its other end. */
  readonly links: Readonly<Record<string, Link>>;
}

export interface Site {
  readonly environment: RunEnvironment;
  readonly database: SparePostgres;
  readonly processes: readonly Process[];
  /** In front of the second gateway. */
  readonly front: RunningNginx;
  /** By what they hold; none where nothing can be mounted. */
  readonly volumes: Readonly<Record<string, Volume>>;
  /** Where clients find the gateways. */
  readonly gateways: readonly string[];
}

export async function withSite<T>(context: RunContext, use: (site: Site) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(path.join(tmpdir(), 'millpond-storm-'));
  const undo: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })];
  const links: Link[] = [];
  try {
    const volumes: Record<string, Volume> = {};
    const mount = (name: string, at: string): Volume | undefined => {
      try {
        const volume = Volume.mount(at, VOLUME_GIB);
        volumes[name] = volume;
        return volume;
      } catch (error) {
        // Without root, or in a container that may not mount.
        context.say(`the volume of ${name} will not be full: ${(error as Error).message}`);
        return undefined;
      }
    };
    const ofDatabase = mount('PostgreSQL', folder);
    undo.push(() => ofDatabase?.remove());
    context.say('starting a PostgreSQL');
    const database = await startSparePostgres(await freePort(), folder);
    undo.push(() => database.destroy());
    const inPlace = async (environment: RunEnvironment) => {
      const ofObjects =
        context.options.store === 'disk' ? mount('objects', environment.deployment.diskRoot) : undefined;
      try {
        const open = async (url: string) => {
          const link = await Link.open(url);
          links.push(link);
          return link;
        };
        const first = await startProcess(environment, 'gateway 1', { args: GATEWAY, jumpMs: JUMP_MS }, open);
        const behind = { args: GATEWAY, jumpMs: -JUMP_MS, settings: behindNginx(context.options.store) };
        const second = await startProcess(environment, 'gateway 2', behind, open);
        const worker = await startProcess(environment, 'worker', { args: ['work'], jumpMs: -JUMP_MS }, open);
        const nginx = await open(second.server.url);
        const front = await startNginx({
          gatewayUrl: nginx.through(second.server.url),
          engineUrl: second.engineUrl ?? NO_ENGINE,
        });
        undo.push(() => front.stop());
        const clients = [await open(first.server.url), await open(front.url)] as const;
        const processes = [
          { ...first, links: { ...first.links, clients: clients[0] } },
          { ...second, links: { ...second.links, nginx, 'clients by nginx': clients[1] } },
          worker,
        ];
        const gateways = [clients[0].through(first.server.url), clients[1].through(front.url)];
        return await use({ environment, database, processes, front, volumes, gateways });
      } finally {
        // Before the folder is removed.
        ofObjects?.remove();
      }
    };
    return await withRunEnvironment(context, inPlace, { databaseServer: database.url });
  } finally {
    await Promise.all(links.map((link) => link.close()));
    for (const step of undo.toReversed()) await step();
  }
}

/** On disk nginx only passes on what the gateway sends. */
function behindNginx(store: 's3' | 'disk'): Record<string, string> {
  return {
    MILLPOND_TRUSTED_PROXIES: '127.0.0.1',
    ...(store === 's3' ? { MILLPOND_SEND_BYTES: 'nginx' } : {}),
  };
}

interface Start {
  readonly args: readonly string[];
  readonly jumpMs: number;
  readonly settings?: Readonly<Record<string, string>>;
}

async function startProcess(
  { deployment, regionUrl }: RunEnvironment,
  name: string,
  { args, jumpMs, settings: more }: Start,
  open: (url: string) => Promise<Link>,
): Promise<Process & { readonly engineUrl: string | undefined }> {
  const {
    MILLPOND_CONTROL_DB: control = '',
    MILLPOND_BLOBS,
    MILLPOND_S3_ENDPOINT = '',
  } = deployment.environment;
  const database = await open(regionUrl);
  const engine = MILLPOND_BLOBS === 's3' ? await open(MILLPOND_S3_ENDPOINT) : undefined;
  const engineUrl = engine?.through(MILLPOND_S3_ENDPOINT);
  const settings = {
    MILLPOND_REGION_DB: database.through(regionUrl),
    MILLPOND_CONTROL_DB: database.through(control),
    ...(engineUrl === undefined ? {} : { MILLPOND_S3_ENDPOINT: engineUrl }),
    NODE_OPTIONS: `--import=${CLOCK_JUMP}`,
    MILLPOND_TEST_CLOCK_JUMP: String(jumpMs),
    ...more,
  };
  const server = await KillableServer.start(deployment, settings, args);
  const links = { PostgreSQL: database, ...(engine === undefined ? {} : { engine }) };
  return { name, server, links, engineUrl };
}
