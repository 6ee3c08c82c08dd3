/** Objects that came in parts: read as they are, then merged in the background into one engine object. */
import {
  type Account,
  createDeployment,
  type Deployment,
  openRegionDatabase,
  type RegionDatabase,
  type ServerProcess,
  stat,
} from '@millpond/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { blobsOf } from '../support/objects/blobs.ts';
import { beginUpload, putParts } from '../support/objects/multipart.ts';
import { randomContent } from '../support/objects/objects.ts';
import { target } from '../support/target.ts';

const MIB = 1024 * 1024;
const BUCKET = 'merge';

let deployment: Deployment;
let database: RegionDatabase;
/** Answers, and does no background work. */
let gateway: ServerProcess;
let account: Account;

beforeAll(async () => {
  deployment = await createDeployment({ store: target.store, settings: { MILLPOND_TRASH_GRACE: '1s' } });
  account = await deployment.createAccount(undefined, BUCKET);
  gateway = await deployment.start({ args: ['serve', '--no-work'] });
  database = await openRegionDatabase(deployment.environment.MILLPOND_REGION_DB ?? '');
});
afterAll(async () => {
  await database?.close();
  await deployment?.destroy();
});

const startWorker = () => deployment.start({ args: ['work'] });
const read = (key: string, range?: string) =>
  fetch(`${gateway.url}/${BUCKET}/${key}`, range === undefined ? {} : { headers: { range } });
const recordOf = async (key: string) => (await stat(gateway.url, account, BUCKET, key)).text();

async function upload(key: string, sizes: readonly number[]): Promise<Buffer> {
  const contents = sizes.map(randomContent);
  const begun = await beginUpload(BUCKET, { key, site: { url: gateway.url, account } });
  const metadata = { 'x-svc-meta-colour': 'blue', 'x-svc-meta-!Cache-Control': 'max-age=60' };
  expect((await begun.complete(await putParts(begun, contents), { metadata })).status).toBe(200);
  return Buffer.concat(contents);
}

/** Around every border between parts: a byte on each side, across it, and the whole of what lies between two. */
async function expectRanges(key: string, content: Buffer, sizes: readonly number[]): Promise<void> {
  const borders = sizes.map((_, index) => sizes.slice(0, index + 1).reduce((sum, size) => sum + size, 0));
  const ranges = [0, ...borders.slice(0, -1)].flatMap((border) => [
    [border, border],
    [Math.max(0, border - 1), border],
    [Math.max(0, border - 2), border - 1],
    [Math.max(0, border - 7), content.length - 1],
    [Math.max(0, border - 3), Math.min(content.length - 1, border + MIB + 5)],
  ]);
  for (const [first = 0, last = 0] of ranges.filter(([first = 0, last = 0]) => first <= last)) {
    const answer = await read(key, `bytes=${first}-${last}`);
    expect(answer.status).toBe(206);
    expect(answer.headers.get('content-range')).toBe(`bytes ${first}-${last}/${content.length}`);
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(bytes.equals(content.subarray(first, last + 1)), `bytes ${first}-${last} of ${key}`).toBe(true);
  }
}

test('every range across the parts is right, and after the merge nothing has changed but where the bytes lie [multipart-05 range-05 headers-05]', async () => {
  const sizes = [MIB, 2 * MIB + 1, MIB + 7, 3];
  const content = await upload('parts', sizes);
  expect(await database.segmentCount('parts')).toBe(4);
  await expectRanges('parts', content, sizes);
  const before = await recordOf('parts');
  expect(JSON.parse(before)).toMatchObject({ responseHeaders: { 'Cache-Control': 'max-age=60' } });
  const worker = await startWorker();
  await expect.poll(() => database.segmentCount('parts')).toBe(1);
  expect(await recordOf('parts')).toBe(before);
  await expectRanges('parts', content, sizes);
  await worker.kill('SIGTERM');
  await expect
    .poll(
      async () => {
        await deployment.run('sweep');
        return (await blobsOf(deployment)).whole.length;
      },
      { interval: 500 },
    )
    .toBe(1);
  await expectRanges('parts', content, sizes);
});

test('a worker killed in the middle of a merge: another one does it again, and readers notice nothing', async () => {
  const content = await upload(
    'killed',
    Array.from({ length: 24 }, () => 4 * MIB),
  );
  const worker = await startWorker();
  // The new engine object is being written: a temporary file, or an unfinished multipart of the engine.
  await expect
    .poll(async () => (await blobsOf(deployment)).unfinished.length, { interval: 5 })
    .toBeGreaterThan(0);
  await worker.kill('SIGKILL');
  expect(await database.segmentCount('killed')).toBe(24);
  const isWhole = async () => content.equals(Buffer.from(await (await read('killed')).arrayBuffer()));
  expect(await isWhole()).toBe(true);
  const next = await startWorker();
  await expect.poll(() => database.segmentCount('killed'), { interval: 200 }).toBe(1);
  expect(await isWhole()).toBe(true);
  await next.kill('SIGTERM');
});
