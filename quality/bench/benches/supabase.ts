/**
 * Our S3 protocol beside that of supabase/storage, on the same engine and the same PostgreSQL: the same presigned requests by the
 * same client, in turn with the bare engine.
 */
import { cpuSecondsOf } from '@millpond/testing';
import { emptyEngine, putInEngine } from '../engine.ts';
import { type Driver, startDriver } from '../load/driver.ts';
import { presigner } from '../load/presign.ts';
import type { Engine, Work } from '../load/work.ts';
import { type Options, type Size, sizes } from '../options.ts';
import { getRequest } from '../requests.ts';
import { DB_CONNECTIONS, openStage, type Stage } from '../stage.ts';
import { median, rounded, spread } from '../statistics.ts';
import { type SupabaseServer, startSupabase } from '../supabase/server.ts';
import { OBJECTS } from './get.ts';
import { CLEAR_FROM_BYTES } from './put.ts';
import { listenerOf, presignedGets, putObjects } from './s3.ts';

const SIZES: readonly (readonly [Size, number])[] = [
  ['4k', 32],
  ['1m', 8],
  ['64m', 4],
];
const LISTED = 1000;
const MAX_CONCURRENT_LISTS = 8;
const WARM_UP_SECONDS = 2;

type Who = 'ours' | 'theirs' | 'bare';
const WHO: readonly Who[] = ['ours', 'theirs', 'bare'];

interface StorageTarget {
  readonly driver: Driver;
  readonly options: Options;
  /** Whom requests go to. */
  readonly at: Readonly<Record<Who, Engine>>;
  readonly cpu: Readonly<Record<Who, () => number>>;
  /** Buckets of the engine, to be emptied after large uploads. */
  readonly stored: readonly Engine[];
}

interface Measured {
  readonly name: string;
  readonly concurrency: number;
  /** Medians of the rounds. */
  readonly perSecond: Readonly<Record<Who, number>>;
  /** Microseconds of the server per request. */
  readonly serverCpu: Readonly<Record<'ours' | 'theirs', number>>;
  /** To the bare engine. */
  readonly ours: Ratio;
  readonly theirs: Ratio;
  readonly oursToTheirs: Ratio;
}

interface Ratio {
  readonly ratio: number;
  readonly spread: { readonly min: number; readonly max: number };
}

export async function benchSupabase(
  options: Options,
  cleanup: AsyncDisposableStack,
): Promise<readonly Measured[]> {
  const stage = await openStage({ store: 's3', s3: true, quiet: options.json });
  cleanup.defer(() => stage.close());
  const supabase = await startSupabase(options.source ?? '', stage.engine, DB_CONNECTIONS);
  cleanup.defer(() => supabase.stop());
  const driver = startDriver();
  cleanup.defer(() => driver.stop());
  const storageTarget = placeOf(stage, supabase, driver, options);
  const results: Measured[] = [];
  for (const [size, concurrency] of SIZES) results.push(await uploads(storageTarget, size, concurrency));
  for (const [size, concurrency] of SIZES) results.push(await downloads(storageTarget, size, concurrency));
  return [...results, await lists(storageTarget)];
}

function placeOf(stage: Stage, supabase: SupabaseServer, driver: Driver, options: Options): StorageTarget {
  return {
    driver,
    options,
    at: { ours: listenerOf(stage), theirs: supabase.listener, bare: stage.engine },
    cpu: { ours: stage.serverCpu, theirs: () => cpuSecondsOf(supabase.pid), bare: () => 0 },
    stored: [stage.engine, supabase.stored],
  };
}

function uploads(storageTarget: StorageTarget, size: Size, concurrency: number): Promise<Measured> {
  const bytes = sizes[size];
  const work = (who: Who): Work => ({
    kind: 'presignedPut',
    to: storageTarget.at[who],
    keyPrefix: `put-${size}/`,
    bytes,
  });
  const clear = async () => {
    if (bytes >= CLEAR_FROM_BYTES) for (const engine of storageTarget.stored) await emptyEngine(engine);
  };
  return measure(storageTarget, `upload ${size}`, concurrency, work, clear);
}

async function downloads(storageTarget: StorageTarget, size: Size, concurrency: number): Promise<Measured> {
  const { at } = storageTarget;
  const [bytes, count] = [sizes[size], OBJECTS[size]];
  const works = {
    ours: presignedGets(at.ours, await putObjects(at.ours, count, bytes), bytes),
    theirs: presignedGets(at.theirs, await putObjects(at.theirs, count, bytes), bytes),
    bare: presignedGets(at.bare, await putInEngine(at.bare, count, bytes), bytes),
  };
  return measure(storageTarget, `download ${size}`, concurrency, (who) => works[who]);
}

/** A page of all that is in the bucket, which is at least as many. */
async function lists(storageTarget: StorageTarget): Promise<Measured> {
  for (const who of WHO) await putObjects(storageTarget.at[who], LISTED, 1);
  const work = (who: Who): Work => {
    const to = storageTarget.at[who];
    const parameters = [
      ['list-type', '2'],
      ['max-keys', String(LISTED)],
      ['prefix', 'get/'],
    ] as const;
    return { kind: 'requests', to, requests: [getRequest(to, presigner(to)('GET', '', parameters))] };
  };
  return measure(storageTarget, `list ${LISTED} keys`, MAX_CONCURRENT_LISTS, work);
}

async function measure(
  { driver, options: { rounds, seconds }, cpu }: StorageTarget,
  name: string,
  concurrency: number,
  work: (who: Who) => Work,
  afterEach: () => Promise<void> = async () => undefined,
): Promise<Measured> {
  const rates: Record<Who, number[]> = { ours: [], theirs: [], bare: [] };
  const cpus: Record<Who, number[]> = { ours: [], theirs: [], bare: [] };
  const run = async (who: Who, seconds: number) => {
    const before = cpu[who]();
    const outcome = await driver.run({ work: work(who), concurrency, seconds });
    const used = ((cpu[who]() - before) * 1e6) / outcome.latencies.length;
    await afterEach();
    return { rate: outcome.opsPerSecond, used };
  };
  for (const who of WHO) await run(who, WARM_UP_SECONDS);
  for (let round = 0; round < rounds; round++)
    for (const who of WHO) {
      const { rate, used } = await run(who, seconds);
      rates[who].push(rate);
      cpus[who].push(used);
    }
  const ratio = (one: Who, other: Who): Ratio => {
    const ratios = rates[one].map((rate, round) => rounded(rate / (rates[other][round] ?? Number.NaN)));
    return { ratio: rounded(median(ratios)), spread: spread(ratios) };
  };
  const perSecond = (who: Who) => rounded(median(rates[who]));
  return {
    name,
    concurrency,
    perSecond: { ours: perSecond('ours'), theirs: perSecond('theirs'), bare: perSecond('bare') },
    serverCpu: { ours: rounded(median(cpus.ours)), theirs: rounded(median(cpus.theirs)) },
    ours: ratio('ours', 'bare'),
    theirs: ratio('theirs', 'bare'),
    oursToTheirs: ratio('ours', 'theirs'),
  };
}
