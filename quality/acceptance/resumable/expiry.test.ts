/** What is given up leaves no bytes: aborted, replaced, refused and forgotten uploads. */
import {
  type Account,
  createBucket,
  createDeployment,
  type Deployment,
  openRegionDatabase,
  type RegionDatabase,
  type ServerProcess,
} from '@millpond/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { expectRefusal } from '../support/expectations.ts';
import { blobsOf } from '../support/objects/blobs.ts';
import { blockAnswer, blocksOf } from '../support/objects/blocks.ts';
import { beginUpload, putPart, putParts, type Site } from '../support/objects/multipart.ts';
import { randomContent } from '../support/objects/objects.ts';
import { target } from '../support/target.ts';

const MIB = 1024 * 1024;
const BUCKET = 'expiry';

let deployment: Deployment;
let database: RegionDatabase;
let server: ServerProcess;
let account: Account;
let site: Site;

beforeAll(async () => {
  deployment = await createDeployment({ store: target.store });
  account = await deployment.createAccount();
  server = await deployment.start();
  database = await openRegionDatabase(deployment.environment.MILLPOND_REGION_DB ?? '');
  await createBucket(server.url, account, BUCKET);
  site = { url: server.url, account };
});
afterAll(async () => {
  await database?.close();
  await deployment?.destroy();
});

const stored = async () => {
  const { whole, unfinished } = await blobsOf(deployment);
  return whole.length + unfinished.length;
};
/** The operator's own command: the trash that is due, and what no row names. */
const sweep = () => deployment.run('sweep', '--everything');
const storedAfterSweep = async () => {
  await sweep();
  return stored();
};

let before: number;
beforeEach(async () => {
  before = await storedAfterSweep();
});

test('an upload that is ended leaves no bytes [multipart-10]', async () => {
  const upload = await beginUpload(BUCKET, { key: 'ended', site });
  await putParts(upload, [randomContent(9 * MIB), 'small']);
  expect(await stored()).toBe(before + 2);
  expect((await upload.abort()).status).toBe(200);
  expect(await storedAfterSweep()).toBe(before);
});

test('parts that are replaced, refused, or not named by the completion leave no bytes [multipart-06]', async () => {
  const upload = await beginUpload(BUCKET, { key: 'kept', site });
  const kept = await putPart(upload, 1, 'kept');
  await putPart(upload, 2, 'replaced');
  await putPart(upload, 2, 'not named');
  expect((await upload.put(3, 'damaged', { 'content-md5': '0'.repeat(32) })).status).toBe(406);
  expect((await upload.complete([kept])).status).toBe(200);
  expect(await storedAfterSweep()).toBe(before + 1);
  const read = await fetch(`${server.url}/${BUCKET}/kept`);
  expect([read.status, await read.text()]).toEqual([200, 'kept']);
});

test('identical content that is there already keeps its bytes, and the parts go', async () => {
  for (let round = 0; round < 2; round++) {
    const upload = await beginUpload(BUCKET, { key: 'same', site, policy: { insertOnly: 1 } });
    expect((await upload.complete(await putParts(upload, ['the same']))).status).toBe(200);
  }
  expect(await storedAfterSweep()).toBe(before + 1);
});

test('an upload whose seven days are over answers 612, and the clean-up takes its bytes [multipart-12]', async () => {
  const upload = await beginUpload(BUCKET, { key: 'forgotten', site });
  const parts = await putParts(upload, ['one']);
  await database.expireUploads();
  for (const answer of [upload.list(), upload.put(2, 'two'), upload.complete(parts), upload.abort()])
    await expectRefusal(await answer, 612, 'no such uploadId');
  await database.runNow('upload-expire');
  await expect.poll(storedAfterSweep, { interval: 500 }).toBe(before);
});

test('answers of completed uploads are given again for their time, and then cleaned up [repeat-09]', async () => {
  const upload = await beginUpload(BUCKET, { key: 'answered', site });
  const parts = await putParts(upload, ['one']);
  expect((await upload.complete(parts)).status).toBe(200);
  expect((await upload.complete(parts)).status).toBe(200);
  expect(await database.keptAnswers()).toBeGreaterThan(0);
  await database.expireUploads();
  await expectRefusal(await upload.complete(parts), 612, 'no such uploadId');
  await database.runNow('upload-expire');
  await expect.poll(() => database.keptAnswers()).toBe(0);
});

test('a block whose seven days are over answers 701, and the clean-up takes its bytes [blocks-05]', async () => {
  const blocks = blocksOf(BUCKET, { site });
  const first = await blockAnswer(await blocks.mkblk(6, 'abc'));
  const full = await blockAnswer(await blocks.mkblk(3, 'abc'));
  await database.expireUploads();
  await expectRefusal(await blocks.bput(first.ctx, 3, 'def'), 701, 'invalid upload context');
  await expectRefusal(await blocks.mkfile(3, [full.ctx], { key: 'k' }), 701, 'invalid upload context');
  await database.runNow('upload-expire');
  await expect.poll(storedAfterSweep, { interval: 500 }).toBe(before);
});
