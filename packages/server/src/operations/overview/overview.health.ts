/**
 * How the engines are: what an operator looks at first. Every check does what the server would do, changes nothing and ends in
 * time. Processes are judged by the figures they write every minute. Any number of readers cost one round of checks.
 */
import { errorReason } from '@millpond/base';
import type { BlobStore } from '@millpond/blobs';
import type { WireRecord } from '@millpond/protocol';
import { type LiveFeature, OUTDATED_ENGINE } from '../../live/streams/index.ts';
import { BLOB_STORE_HINTS, COLD_CLASS_HINT, databaseHint, RTMP_ENGINE_HINT } from '../../platform/hints.ts';
import { refreshedValue } from '../../platform/refreshed-value.ts';
import type { ProcessRow } from '../figures/index.ts';
import type { Capacity } from './capacity.ts';
import type { ConnectionStore } from './connection.store.ts';
import { processHealth } from './process-health.ts';

type HealthItem = WireRecord<'HealthItem'>;
type Checked = Omit<HealthItem, 'engine' | 'name'>;

export interface HealthDeps {
  readonly connections: Readonly<Record<'control' | 'region', ConnectionStore>>;
  readonly blobs: Pick<BlobStore, 'ping'>;
  readonly blobKind: 's3' | 'disk';
  readonly coldWatch: { readonly fault: string | undefined };
  readonly engines: LiveFeature['engines'];
  readonly processes: () => Promise<readonly ProcessRow[]>;
  readonly capacity: Capacity;
  /** Where devices register; undefined: nowhere. */
  readonly sipPlace: string | undefined;
}

const INTERVAL_MS = 5_000;
const RESPONSE_TIMEOUT_MS = 3_000;
/** Somebody waits for this page; what has not answered by then is told as that. */
const WAIT_MS = 2 * RESPONSE_TIMEOUT_MS;
const MAX_CONNECTION_SHARE = 0.9;
const LIVE_OFF = 'live is off: MILLPOND_LIVE_ENGINES names no engine';

export class Health {
  readonly #deps: HealthDeps;
  readonly #refreshed: () => Promise<WireRecord<'Health'> | undefined>;

  constructor(deps: HealthDeps) {
    this.#deps = deps;
    this.#refreshed = refreshedValue(() => this.#look(), { everyMs: INTERVAL_MS, waitMs: WAIT_MS });
  }

  async read(): Promise<WireRecord<'Health'>> {
    return (await this.#refreshed()) ?? { items: [] };
  }

  async #look(): Promise<WireRecord<'Health'>> {
    const { connections, blobKind, engines } = this.#deps;
    const [items, capacity] = await Promise.all([
      Promise.all([
        this.#processes(),
        ...(['control', 'region'] as const).map(async (name) => [
          {
            engine: `database-${name}` as const,
            name,
            ...(await timed(
              () => databaseHealth(connections[name]),
              databaseHint(`MILLPOND_${name.toUpperCase()}_DB`),
            )),
          },
        ]),
        timed(() => this.#bytes(), BLOB_STORE_HINTS[blobKind]).then((checked) => [
          { engine: 'bytes' as const, name: blobKind, ...checked },
        ]),
        ...engines.map(async ({ id, client }) => [
          { engine: 'rtmp' as const, name: id, ...(await timed(() => rtmpHealth(client), RTMP_ENGINE_HINT)) },
        ]),
      ]),
      inTime(this.#deps.capacity()).catch(() => undefined),
    ]);
    const off: HealthItem[] =
      engines.length > 0 ? [] : [{ engine: 'rtmp', name: 'live', state: 'off', words: LIVE_OFF }];
    return { items: [...items.flat(), ...off], ...(capacity && { capacity }) };
  }

  /** Without its database nobody knows which processes there are; that is said elsewhere. */
  async #processes(): Promise<HealthItem[]> {
    try {
      return processHealth(await inTime(this.#deps.processes()), this.#deps.sipPlace);
    } catch {
      return [];
    }
  }

  async #bytes(): Promise<Checked> {
    await this.#deps.blobs.ping(AbortSignal.timeout(RESPONSE_TIMEOUT_MS));
    const { fault } = this.#deps.coldWatch;
    if (fault === undefined) return { state: 'ok', words: 'answers' };
    return {
      state: 'warn',
      words: `${fault}: objects of the archive classes can't be stored`,
      do: COLD_CLASS_HINT,
    };
  }
}

async function databaseHealth(connections: ConnectionStore): Promise<Checked> {
  const { used, most } = await connections.read();
  const words = `answers; ${used} of ${most} connections are in use`;
  if (used < MAX_CONNECTION_SHARE * most) return { state: 'ok', words };
  return {
    state: 'warn',
    words,
    do: 'raise max_connections of PostgreSQL, or lower MILLPOND_DB_CONNECTIONS or the number of processes',
  };
}

async function rtmpHealth(client: LiveFeature['engines'][number]['client']): Promise<Checked> {
  const { publishers } = await client.state();
  if (!(await client.isOutdated())) return { state: 'ok', words: `answers, ${publishers.length} publishing` };
  const [words = '', remedy = ''] = OUTDATED_ENGINE.split(': ');
  return { state: 'bad', words, do: remedy };
}

async function timed(check: () => Promise<Checked>, remedy: string): Promise<Checked> {
  const begun = performance.now();
  try {
    const checked = await inTime(check());
    return { ...checked, ms: Math.round(performance.now() - begun) };
  } catch (error) {
    return { state: 'bad', words: `does not answer: ${errorReason(error)}`, do: remedy };
  }
}

async function inTime<Answer>(answer: Promise<Answer>): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`nothing came within ${RESPONSE_TIMEOUT_MS} ms`)),
      RESPONSE_TIMEOUT_MS,
    );
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
