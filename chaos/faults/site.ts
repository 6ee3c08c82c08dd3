/** What a storm hits: two gateways, a worker and a PostgreSQL of their own, with a link between each two that talk. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type SparePostgres, startSparePostgres } from '@millpond/engines';
import { CLOCK_JUMP, freePort } from '@millpond/testing';
import { KillableServer } from '../load/server.ts';
import { type Place, type RunContext, withPlace } from '../place.ts';
import { Link } from './link.ts';
import { Volume } from './volume.ts';

/** Room for the longest run; it is memory only when it is used. */
const VOLUME_GIB = 12;
/** One gateway's clock goes ahead by this, the other's falls back. Engines refuse requests that are off by 15 minutes. */
const JUMP_MS = 10 * 60_000;

export interface Process {
  readonly name: string;
  readonly server: KillableServer;
  /** By the name of what is at its other end. */
  readonly links: Readonly<Record<string, Link>>;
}

export interface Site {
  readonly place: Place;
  readonly database: SparePostgres;
  readonly processes: readonly Process[];
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
    const inPlace = async (place: Place) => {
      const ofObjects =
        context.options.store === 'disk' ? mount('objects', place.deployment.diskRoot) : undefined;
      try {
        const processes: Process[] = [];
        const starts = [['serve', '--no-work'], ['serve', '--no-work'], ['work']];
        for (const [number, args] of starts.entries())
          processes.push(await startProcess(place, number, args, links));
        const gateways = processes.flatMap(
          ({ server, links: { clients } }) => clients?.through(server.url) ?? [],
        );
        return await use({ place, database, processes, volumes, gateways });
      } finally {
        // Before the folder is removed.
        ofObjects?.remove();
      }
    };
    return await withPlace(context, inPlace, { databaseServer: database.url });
  } finally {
    await Promise.all(links.map((link) => link.close()));
    for (const step of undo.toReversed()) await step();
  }
}

async function startProcess(
  place: Place,
  number: number,
  args: readonly string[],
  links: Link[],
): Promise<Process> {
  const open = async (url: string) => {
    const link = await Link.open(url);
    links.push(link);
    return link;
  };
  const { deployment, regionUrl } = place;
  const {
    MILLPOND_CONTROL_DB: control = '',
    MILLPOND_BLOBS,
    MILLPOND_S3_ENDPOINT = '',
  } = deployment.environment;
  const database = await open(regionUrl);
  const engine = MILLPOND_BLOBS === 's3' ? await open(MILLPOND_S3_ENDPOINT) : undefined;
  const settings = {
    MILLPOND_REGION_DB: database.through(regionUrl),
    MILLPOND_CONTROL_DB: database.through(control),
    ...(engine === undefined ? {} : { MILLPOND_S3_ENDPOINT: engine.through(MILLPOND_S3_ENDPOINT) }),
    NODE_OPTIONS: `--import=${CLOCK_JUMP}`,
    MILLPOND_TEST_CLOCK_JUMP: String(number === 0 ? JUMP_MS : -JUMP_MS),
  };
  const server = await KillableServer.start(deployment, settings, args);
  const isGateway = args[0] === 'serve';
  return {
    name: isGateway ? `gateway ${number + 1}` : 'worker',
    server,
    links: {
      PostgreSQL: database,
      ...(engine === undefined ? {} : { engine }),
      ...(isGateway ? { clients: await open(server.url) } : {}),
    },
  };
}
