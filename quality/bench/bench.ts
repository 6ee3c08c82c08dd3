/** Sets up a bench, and runs it. */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type RunningNginx, startNginx } from '@millpond/deploy/nginx';
import { benchBatch } from './benches/batch.ts';
import { benchConsoleList } from './benches/console-list.ts';
import { benchCp } from './benches/cp.ts';
import { benchDeliveries } from './benches/deliveries.ts';
import { benchDevStart } from './benches/dev-start.ts';
import { benchGet } from './benches/get.ts';
import { benchImages } from './benches/images.ts';
import { benchList } from './benches/list.ts';
import { benchListGroups, PER_GROUP } from './benches/list-groups.ts';
import { benchListStream } from './benches/list-stream.ts';
import { benchLive } from './benches/live.ts';
import { benchMerged } from './benches/merged.ts';
import { benchParts } from './benches/parts.ts';
import { benchPut } from './benches/put.ts';
import { benchS3Get, benchS3Put } from './benches/s3.ts';
import { benchSmall } from './benches/small.ts';
import { benchStat } from './benches/stat.ts';
import { benchSupabase } from './benches/supabase.ts';
import { benchRows, type Loaded, rowsTable, SMALL_ROWS, STORE } from './benches/table-growth.ts';
import { benchTasks } from './benches/tasks.ts';
import { benchTranscode } from './benches/transcode.ts';
import { withCleanup } from './cleanup.ts';
import { fillObjects } from './fill.ts';
import { type Driver, startDriver } from './load/driver.ts';
import type { Options, Small } from './options.ts';
import { describeProfiles } from './profile.ts';
import { type Comparison, comparisonTable } from './report.ts';
import { addressOf } from './requests.ts';
import { openStage, type Stage } from './stage.ts';

/** Default number of rows that stat and list read. */
const DEFAULT_ROWS = 100_000;
/** The same for streams and groups, which concern a whole bucket. */
const FULL_BUCKET_ROWS = 1_000_000;
const BUCKETS = 4;
const TOP_FUNCTIONS = 15;

const SMALL_SETTINGS: Record<Small, Readonly<Record<string, string>>> = {
  cache: {},
  inbox: { MILLPOND_SMALL_CACHE: '0B', MILLPOND_PACK_AFTER: '1h' },
  packs: { MILLPOND_SMALL_CACHE: '0B' },
  off: { MILLPOND_SMALL_OBJECTS: '0B' },
};

/** Benches with their own engines, load and comparison. */
const aloneBenches: Partial<
  Record<Options['name'], (options: Options, cleanup: AsyncDisposableStack) => Promise<object>>
> = {
  'console-list': benchConsoleList,
  cp: benchCp,
  deliveries: benchDeliveries,
  'dev-start': benchDevStart,
  live: benchLive,
  small: benchSmall,
  supabase: benchSupabase,
  tasks: benchTasks,
  transcode: benchTranscode,
};

/** The text for standard output. */
export function runBench(options: Options): Promise<string> {
  return withCleanup((cleanup) => run(options, cleanup));
}

async function run(options: Options, cleanup: AsyncDisposableStack): Promise<string> {
  const alone = aloneBenches[options.name];
  if (alone !== undefined)
    return JSON.stringify(await alone(options, cleanup), null, options.json ? undefined : 2);
  const driver = startDriver();
  cleanup.defer(() => driver.stop());
  if (options.name === 'rows') {
    const result = await runRows(options, driver, cleanup);
    return options.json ? JSON.stringify(result) : rowsTable(result);
  }
  const profileFolder = options.profile ? await mkdtemp(path.join(tmpdir(), 'millpond-profile-')) : undefined;
  if (profileFolder !== undefined)
    cleanup.defer(async () => say(await describeProfiles(profileFolder, TOP_FUNCTIONS)));
  const stage = await openStage({
    store: options.store,
    bucketCount: options.list === 'page' ? BUCKETS : 1,
    s3: options.name.startsWith('s3-'),
    quiet: options.json,
    settings: { MILLPOND_SEND_BYTES: options.way, ...SMALL_SETTINGS[options.small] },
    profileFolder,
  });
  cleanup.defer(() => stage.close());
  const result = await runComparison(options, stage, driver, cleanup);
  return options.json ? JSON.stringify(result) : comparisonTable(result);
}

async function runComparison(
  options: Options,
  stage: Stage,
  driver: Driver,
  cleanup: AsyncDisposableStack,
): Promise<Comparison> {
  if (options.name === 'get') {
    const front = options.way === 'nginx' ? await startFront(stage) : undefined;
    if (front !== undefined) cleanup.defer(() => front.stop());
    return benchGet(stage, driver, options, front && addressOf(front.url));
  }
  if (options.name === 'put') {
    if (options.rows > 0) await fill(stage, options.rows);
    return benchPut(stage, driver, options);
  }
  if (options.name === 's3-put') return benchS3Put(stage, driver, options);
  if (options.name === 's3-get') return benchS3Get(stage, driver, options);
  if (options.name === 'parts') return benchParts(stage, driver, options);
  if (options.name === 'merged') return benchMerged(stage, driver, options);
  if (options.name === 'images') return benchImages(stage, driver, options);
  if (options.list !== 'page') {
    const perFolder = options.list === 'delimiter' ? PER_GROUP : undefined;
    const filled = await fill(stage, options.rows === 0 ? FULL_BUCKET_ROWS : options.rows, perFolder);
    const bench = options.list === 'stream' ? benchListStream : benchListGroups;
    return bench(stage, driver, options, filled);
  }
  const filled = await fill(stage, options.rows === 0 ? DEFAULT_ROWS : options.rows);
  if (options.name === 'stat') return benchStat(stage, driver, options, filled);
  if (options.name === 'batch') return benchBatch(stage, driver, options, filled);
  return benchList(stage, driver, options, filled);
}

/** Debian's nginx in front of the server, with the configuration shipped for it. */
function startFront({ server, engine }: Stage): Promise<RunningNginx> {
  return startNginx({ gatewayUrl: server.url, engineUrl: `http://${engine.host}:${engine.port}` });
}

async function runRows(options: Options, driver: Driver, cleanup: AsyncDisposableStack) {
  const load = async (rows: number): Promise<Loaded> => {
    const stage = await openStage({ store: STORE, bucketCount: BUCKETS, quiet: options.json });
    cleanup.defer(() => stage.close());
    return { stage, filled: await fill(stage, rows) };
  };
  const small = await load(SMALL_ROWS);
  const large = await load(options.rows);
  return benchRows(small, large, driver, options);
}

async function fill(stage: Stage, rows: number, perFolder?: number) {
  const began = performance.now();
  const filled = await fillObjects(
    stage.regionDb,
    rows,
    (done) => {
      if (rows > DEFAULT_ROWS) say(`${done} of ${rows} rows after ${seconds(began)} s`);
    },
    perFolder,
  );
  say(`${rows} rows were written, vacuumed and analysed in ${seconds(began)} s`);
  return filled;
}

function seconds(began: number): string {
  return ((performance.now() - began) / 1000).toFixed(1);
}

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}
