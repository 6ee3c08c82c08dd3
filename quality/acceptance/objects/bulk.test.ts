/** Work on many objects: each kind by library and command, what it must not touch, and what those with limits may start. */
import type { BulkRecord, KeyLimits, NewBulk } from '@millpond/client/server';
import { formatEntry } from '@millpond/protocol';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectContent, expectNothing, expectRefusalOf, recordOf } from '../support/expectations.ts';
import { bucketDo } from '../support/objects/buckets.ts';
import { callOperation, put } from '../support/objects/operations.ts';
import { entriesOfZip } from '../support/objects/zip.ts';
import { newKey, useRegion } from '../support/receivers/callbacks.ts';
import { json, useReceiver } from '../support/receivers/receiver.ts';
import { useCommandLine } from '../support/running/cli.ts';
import { collected, sdkClient } from '../support/running/sdk.ts';
import { sendSigned } from '../support/signing.ts';
import { download, newBucket, target } from '../support/target.ts';

const region = useRegion();
const receiver = useReceiver();
const client = sdkClient();
const cli = useCommandLine();
const SOON = { timeout: 300_000, interval: 50 };

async function done(request: NewBulk): Promise<BulkRecord> {
  const { id } = await client.bulk.submit(request);
  return client.bulk.wait(id);
}

async function keysIn(bucket: string, prefix = ''): Promise<string[]> {
  return (await collected(client.objects.list(bucket, { prefix }))).map(({ item }) => item.key);
}

async function bucketWith(...keys: readonly string[]): Promise<string> {
  const bucket = await newBucket();
  await Promise.all(keys.map((key) => put(bucket, key, key)));
  return bucket;
}

describe('kinds', () => {
  test('delete: all under a prefix goes to the trash, with events as of single deletes [bulk-01]', async () => {
    const bucket = await bucketWith('a/1', 'a/ü', 'b');
    const endpoint = receiver.at(json({}));
    await bucketDo(`/eventRules/set/${bucket}`, {
      body: JSON.stringify([{ name: 'gone', url: endpoint.url, events: ['deleted'] }]),
    });
    const made = await client.bulk.submit({ kind: 'delete', bucket, prefix: 'a/' });
    expect(made).toMatchObject({ kind: 'delete', bucket, prefix: 'a/', done: 0, failed: 0, problems: [] });
    const ended = await client.bulk.wait(made.id);
    expect(ended).toMatchObject({
      id: made.id,
      state: 'done',
      done: 2,
      failed: 0,
      bytes: 7,
      of: 2,
      current: 'a/ü',
    });
    expect(Date.parse(ended.ended ?? '')).toBeGreaterThanOrEqual(Date.parse(ended.begun ?? ''));
    expect(await keysIn(bucket)).toEqual(['b']);
    expect((await collected(client.trash.list(bucket))).map(({ key }) => key)).toEqual(['a/1', 'a/ü']);
    const told = () =>
      endpoint.requests.map(({ text }) => (JSON.parse(text) as { data: { key: string; way: string } }).data);
    await expect
      .poll(
        () =>
          told()
            .map(({ key, way }) => `${way} ${key}`)
            .toSorted(),
        SOON,
      )
      .toEqual(['delete a/1', 'delete a/ü']);
  });

  test('class and restore: of named keys, each with its own outcome [bulk-01]', async () => {
    const bucket = await bucketWith('1', '2');
    const changed = await done({ kind: 'class', bucket, keys: ['2', '1', 'none'], class: 2 });
    expect(changed).toMatchObject({ state: 'done', done: 2, failed: 1, of: 3, keys: ['1', '2', 'none'] });
    expect(changed.problems).toEqual([{ key: 'none', words: 'no such file or directory' }]);
    expect(await recordOf(bucket, '1')).toMatchObject({ type: 2 });
    await put(bucket, '3', 'warm');
    const restored = await done({ kind: 'restore', bucket, prefix: '', days: 1 });
    expect(restored).toMatchObject({ done: 2, failed: 1 });
    expect(restored.problems).toEqual([
      { key: '3', words: expect.stringMatching(/only allowed for archive/) },
    ]);
    expect(await recordOf(bucket, '1')).toMatchObject({ restoreStatus: 1 });
  });

  test('copy and move: into another bucket and one level up, replacing only by force [bulk-01]', async () => {
    const [bucket, other] = [await bucketWith('a/b/1', 'a/b/2'), await bucketWith('x/1')];
    const to = { bucket: other, prefix: 'x/' };
    const copied = await done({ kind: 'copy', bucket, prefix: 'a/b/', to });
    expect(copied).toMatchObject({ done: 1, failed: 1, problems: [{ key: 'a/b/1', words: 'file exists' }] });
    await expectContent(other, 'x/1', 'x/1');
    expect(await done({ kind: 'copy', bucket, prefix: 'a/b/', to, force: true })).toMatchObject({ done: 2 });
    await expectContent(other, 'x/1', 'a/b/1');
    const up = { bucket, prefix: 'a/' };
    const moved = await done({ kind: 'move', bucket, prefix: 'a/b/', keys: ['a/b/1'], to: up });
    expect(moved).toMatchObject({ state: 'done', done: 1, failed: 0, to: up });
    expect(await keysIn(bucket)).toEqual(['a/1', 'a/b/2']);
    await expectContent(bucket, 'a/1', 'a/b/1');
  });

  test('zip: one archive of all that can be read, which is an object like any other [bulk-02]', async () => {
    const bucket = await bucketWith('a/1.txt', 'a/ordner/ü', 'a/../evil', 'b');
    await put(bucket, 'a/cold', 'frozen', { fileType: 2 });
    await put(bucket, 'a/', '');
    const zip = { bucket, key: 'a/all.zip' };
    const packed = await done({ kind: 'zip', bucket, prefix: 'a/', zip });
    expect(packed).toMatchObject({ state: 'done', done: 3, failed: 2, bytes: 7 + 'a/ordner/ü'.length + 1 });
    expect(packed.problems.map(({ key }) => key)).toEqual(['a/../evil', 'a/cold']);
    expect(await recordOf(bucket, 'a/all.zip')).toMatchObject({ mimeType: 'application/zip' });
    const bytes = Buffer.from(await (await download(bucket, 'a/all.zip')).arrayBuffer());
    expect(entriesOfZip(bytes)).toEqual({ '1.txt': 'a/1.txt', 'ordner/ü': 'a/ordner/ü' });
    const again = await done({ kind: 'zip', bucket, keys: ['b'], zip });
    expect(again).toMatchObject({
      state: 'failed',
      words: expect.stringMatching(/^file exists: a\/all.zip/),
    });
    const forced = await done({ kind: 'zip', bucket, keys: ['b', 'none'], zip, force: true });
    expect(forced).toMatchObject({ state: 'done', done: 1, failed: 1 });
    const second = Buffer.from(await (await download(bucket, 'a/all.zip')).arrayBuffer());
    expect(entriesOfZip(second)).toEqual({ b: 'b' });
  });
});

test('what was put after it was submitted is left alone [bulk-03]', async () => {
  const bucket = await newBucket();
  const key = newKey();
  await put(bucket, key, 'old');
  await region.database.addCopies(
    key,
    Array.from({ length: 300 }, (_, index) => `k/${1000 + index}`),
  );
  // Held up until all is there.
  const lock = await region.database.lockObjects();
  const submitted = await client.bulk.submit({ kind: 'delete', bucket, prefix: 'k/' });
  const putting = put(bucket, 'k/2', 'new');
  await lock.release();
  await putting;
  await client.bulk.wait(submitted.id);
  const again = await client.bulk.get(submitted.id);
  expect([again.done, await keysIn(bucket, 'k/')]).toEqual([300, ['k/2']]);
});

test('is stopped at any time, and stays stopped; others neither see nor stop it [bulk-03]', async () => {
  const bucket = await bucketWith('k');
  const lock = await region.database.lockObjects();
  const { id } = await client.bulk.submit({ kind: 'delete', bucket, prefix: '' });
  await expect.poll(async () => (await client.bulk.get(id)).state, SOON).toBe('running');
  const stopping = client.bulk.stop(id);
  await lock.release();
  const stopped = await stopping;
  // The page that was under way is completed, or was not begun.
  expect(['done', 'stopped']).toContain(stopped.state);
  expect(await client.bulk.stop(id)).toEqual(stopped);
  expect(stopped.done === 1 ? [] : ['k']).toEqual(await keysIn(bucket));
  const address = `/v1/bulk/${id}`;
  for (const [method, path] of [
    ['GET', address],
    ['POST', `${address}/stop`],
  ] as const)
    expectRefusalOf(
      await sendSigned({ method, target: path }, { keys: target.stranger }),
      612,
      'no such bulk work',
    );
});

test('is listed newest first, by state and in pages [bulk-03]', async () => {
  const bucket = await bucketWith('k');
  const first = await done({ kind: 'class', bucket, prefix: '', class: 1 });
  const second = await done({ kind: 'zip', bucket, prefix: '', zip: { bucket, key: 'k' } });
  const mine = (await collected(client.bulk.list())).filter((bulk) => bulk.bucket === bucket);
  expect(mine.map(({ id }) => id)).toEqual([second.id, first.id]);
  const failed = (await collected(client.bulk.list({ state: 'failed' }))).filter(
    (bulk) => bulk.bucket === bucket,
  );
  expect(failed).toEqual([second]);
  const page = async (query: string) =>
    (await sendSigned({ method: 'GET', target: `/v1/bulk?limit=1${query}` })).json() as {
      items: BulkRecord[];
      marker?: string;
    };
  const { items, marker } = await page('');
  expect((await page(`&marker=${marker}`)).items[0]?.id).not.toBe(items[0]?.id);
  expectRefusalOf(
    await sendSigned({ method: 'GET', target: '/v1/bulk?marker=x' }),
    640,
    'invalid list marker',
  );
  expectRefusalOf(await sendSigned({ method: 'GET', target: '/v1/bulk?state=x' }), 400, 'invalid argument');
});

describe('a key with limits', () => {
  let bucket: string;
  beforeAll(async () => {
    bucket = await bucketWith('a/1', 'a/2', 'b/1');
  });

  async function limited(limits: KeyLimits) {
    const { key, secret } = await client.accounts.createKey({ limits });
    return { key, bulk: sdkClient({ credentials: { accessKey: key, secretKey: secret } }).bulk };
  }

  test('starts what it may do with all of it, and sees its own [bulk-04 key-limit-01]', async () => {
    const { key, bulk } = await limited({ buckets: [bucket], prefixes: ['a/'], actions: ['list', 'write'] });
    const to = { bucket, prefix: 'a/copy/' };
    const refused = [
      { kind: 'class', bucket, prefix: '', class: 1 },
      { kind: 'class', bucket, keys: ['a/1', 'b/1'], class: 1 },
      { kind: 'delete', bucket, prefix: 'a/' },
      { kind: 'copy', bucket, prefix: 'a/', to },
      { kind: 'zip', bucket, prefix: 'a/', zip: { bucket, key: 'a/zip' } },
    ] as const;
    for (const request of refused)
      await expect(bulk.submit(request)).rejects.toMatchObject({ status: 403, hint: /^limit / });
    const own = await bulk.submit({ kind: 'class', bucket, prefix: 'a/', class: 1 });
    expect(own.accessKey).toBe(key);
    expect(await bulk.wait(own.id)).toMatchObject({ done: 2, failed: 0 });
    const other = await client.bulk.submit({ kind: 'class', bucket, keys: ['b/1'], class: 1 });
    await expect(bulk.get(other.id)).rejects.toMatchObject({ status: 612 });
    await expect(bulk.stop(other.id)).rejects.toMatchObject({ status: 612 });
    expect((await collected(bulk.list())).map(({ id }) => id)).toEqual([own.id]);
    await client.bulk.wait(other.id);
  });
});

test('refuses wrong requests, and buckets of others as if there were none [bulk-04]', async () => {
  const bucket = await newBucket();
  const body = (given: unknown) =>
    sendSigned({ target: '/v1/bulk', body: JSON.stringify(given), contentType: 'application/json' });
  for (const wrong of [
    [],
    { kind: 'delete' },
    { kind: 'delete', bucket },
    { kind: 'class', bucket, prefix: '' },
  ])
    expectRefusalOf(await body(wrong), 400, 'invalid argument');
  const elsewhere = { kind: 'copy', bucket, prefix: '', to: { bucket: 'no-such-bucket', prefix: '' } };
  expectRefusalOf(await body(elsewhere), 631, 'no such bucket');
  expectRefusalOf(
    await body({ kind: 'delete', bucket: 'no-such-bucket', prefix: '' }),
    631,
    'no such bucket',
  );
  const accepted = await body({ kind: 'delete', bucket, prefix: '' });
  expect(accepted.status).toBe(202);
});

test('by command: started, waited for, listed, shown and stopped [bulk-05]', async () => {
  const bucket = await bucketWith('a/1', 'a/2', 'b');
  const place = `:${bucket}/a/`;
  expect((await cli.run(['bulk', 'start', 'delete', place])).code).toBe(2);
  expect((await cli.run(['bulk', 'start', 'copy', place])).code).toBe(2);
  const copied = await cli.run(['bulk', 'start', 'copy', place, '--to', `:${bucket}/c/`, '--wait']);
  expect([copied.code, copied.stdout]).toEqual([0, expect.stringMatching(/^state +done\ndone +2\n/m)]);
  const again = await cli.run(['bulk', 'start', 'copy', place, '--to', `:${bucket}/c/`, '--wait']);
  expect([again.code, again.stdout]).toEqual([1, expect.stringMatching(/^a\/1 +file exists$/m)]);
  const named = [
    'bulk',
    'start',
    'move',
    `:${bucket}`,
    '--from',
    '-',
    '--to',
    `:${bucket}/d/`,
    '--yes',
    '--wait',
  ];
  expect(await cli.json(named, 'b\n')).toMatchObject([{ kind: 'move', state: 'done', done: 1, keys: ['b'] }]);
  const [classed] = await cli.json([
    'bulk',
    'start',
    'class',
    `:${bucket}`,
    '--class',
    'infrequent',
    '--wait',
  ]);
  expect(classed).toMatchObject({ state: 'done', done: 5, class: 1 });
  const id = String(classed?.id);
  expect(await cli.json(['bulk', 'show', id])).toMatchObject([{ id, state: 'done' }]);
  expect((await cli.run(['bulk', 'stop', id])).stdout).toMatch(/^state +done$/m);
  const { stdout } = await cli.run(['bulk', 'list', '--state', 'done']);
  expect(stdout).toMatch(/^ID +CREATED +KIND +STATE +DONE +FAILED +OF +BYTES +PLACE\n/);
  expect(stdout).toContain(id);
  const zip = ['bulk', 'start', 'zip', place, '--to', `:${bucket}/all.zip`, '--wait'];
  expect(await cli.json(zip)).toMatchObject([{ state: 'done', done: 2, zip: { bucket, key: 'all.zip' } }]);
  expect((await cli.run(['bulk', 'show', 'none'])).code).toBe(3);
  await callOperation(`/delete/${formatEntry(bucket, 'all.zip')}`);
  await expectNothing(bucket, 'all.zip');
});
