/**
 * Small objects as a whole: whether packing keeps up with the uploads, what an upload adds to the log, what is left in the database
 * when all are packed, and whether uploads and downloads from packs cost more with 10⁷ packed objects than with 10⁵ in one run.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Driver, startDriver } from '../load/driver.ts';
import type { Options } from '../options.ts';
import { sizes } from '../options.ts';
import { getRequest } from '../requests.ts';
import { sizesOf, walBytes } from '../small/figures.ts';
import { fillSmall, keyAt, OBJECT_BYTES } from '../small/fill.ts';
import { openStage, type Stage } from '../stage.ts';
import { median, percentile, rounded, spread } from '../statistics.ts';
import { putWork } from './put.ts';
import { SMALL_ROWS } from './table-growth.ts';

const PACKING_SECONDS = 60;
const PACK_TIMEOUT_MS = 300_000;
const READ_KEYS = 5000;

export async function benchSmall(options: Options, cleanup: AsyncDisposableStack): Promise<object> {
  const driver = startDriver();
  cleanup.defer(() => driver.stop());
  const stageOf = async (settings: Record<string, string>) => {
    const stage = await openStage({ store: 's3', quiet: options.json, settings });
    cleanup.defer(() => stage.close());
    return stage;
  };
  const packing = await measurePacking(await stageOf({ MILLPOND_PACK_AFTER: '5s' }), driver, options);
  const uncached = { MILLPOND_SMALL_CACHE: '0B' };
  const [few, many] = [await stageOf(uncached), await stageOf(uncached)];
  await fillSmall(few, SMALL_ROWS, () => undefined);
  await fillSmall(many, options.rows, (done) => process.stderr.write(`${done} of ${options.rows} objects\n`));
  const manySizes = await sizesOf(many.regionDb);
  const growth = {
    put: await grow(driver, options, putWork(few, sizes['4k']), putWork(many, sizes['4k'])),
    get: await grow(driver, options, readsOf(few, SMALL_ROWS), readsOf(many, options.rows)),
  };
  return { name: 'small', packing, rows: options.rows, sizes: manySizes, growth };
}

/** Uploads for a minute with everything on one machine, and then the rest of the packing. */
async function measurePacking(stage: Stage, driver: Driver, { concurrency }: Options): Promise<object> {
  const { regionDb } = stage;
  await driver.run({ work: putWork(stage, sizes['4k'], 'warm/'), concurrency, seconds: 2 });
  const before = { wal: await walBytes(regionDb), ...(await sizesOf(regionDb)) };
  const load = driver.run({ work: putWork(stage, sizes['4k']), concurrency, seconds: PACKING_SECONDS });
  let mostInInbox = 0;
  const watching = new AbortController();
  const watch = (async () => {
    while (!watching.signal.aborted) {
      mostInInbox = Math.max(mostInInbox, (await sizesOf(regionDb)).inboxBytes);
      await sleep(2000);
    }
  })();
  const { opsPerSecond, latencies } = await load;
  watching.abort();
  await watch;
  const after = await sizesOf(regionDb);
  const walOfPuts = (await walBytes(regionDb)) - before.wal;
  const begun = Date.now();
  const packed = async () => (await sizesOf(regionDb)).packedObjects >= after.objects;
  while (!(await packed()) && Date.now() - begun < PACK_TIMEOUT_MS) await sleep(250);
  const packedAfterMs = Date.now() - begun;
  const emptied = async () => (await sizesOf(regionDb)).inboxBytes < 1024 * 1024;
  while (!(await emptied()) && Date.now() - begun < PACK_TIMEOUT_MS) await sleep(1000);
  const end = await sizesOf(regionDb);
  return {
    puts: latencies.length,
    putsPerSecond: rounded(opsPerSecond),
    packedMeanwhile: after.packedObjects - before.packedObjects,
    restPackedAfterMs: packedAfterMs,
    mostInInboxBytes: mostInInbox,
    walBytesPerPutWithPacking: rounded(walOfPuts / latencies.length),
    end,
    inboxShareOfRows: rounded(end.inboxBytes / (end.objectBytes + end.placeBytes)),
    objectsPerPack: rounded(end.packedObjects / end.packs),
  };
}

function readsOf({ address, buckets: [bucket = ''] }: Stage, rows: number) {
  const keys = Array.from({ length: READ_KEYS }, () => keyAt(Math.floor(Math.random() * rows)));
  return {
    kind: 'requests' as const,
    to: address,
    requests: keys.map((key) => getRequest(address, `/${bucket}/${key}`)),
    answerBytes: OBJECT_BYTES,
  };
}

type Work = Parameters<Driver['run']>[0]['work'];

async function grow(driver: Driver, { concurrency, seconds, rounds }: Options, few: Work, many: Work) {
  const run = async (work: Work) =>
    percentile((await driver.run({ work, concurrency, seconds })).latencies, 0.5);
  await run(few);
  await run(many);
  const ratios: number[] = [];
  while (ratios.length < rounds) {
    const small = await run(few);
    ratios.push(rounded((await run(many)) / small));
  }
  return { ratioOfP50: rounded(median(ratios)), spread: spread(ratios) };
}
