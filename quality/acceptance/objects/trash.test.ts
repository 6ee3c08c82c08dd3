/** The trash of a bucket as its owner sees it: by call, library and command. */
import type { KeyLimits } from '@millpond/client/server';
import { formatEntry } from '@millpond/protocol';
import { expect, test } from 'vitest';
import { expectContent, expectNothing, expectRefusalOf, recordOf } from '../support/expectations.ts';
import { callOperation, put } from '../support/objects/operations.ts';
import { newKey, useRegion } from '../support/receivers/callbacks.ts';
import { useCommandLine } from '../support/running/cli.ts';
import { collected, sdkClient } from '../support/running/sdk.ts';
import { sendSigned } from '../support/signing.ts';
import { newBucket } from '../support/target.ts';

const region = useRegion();
const client = sdkClient();
const { trash } = client;
const cli = useCommandLine();
const remove = (bucket: string, key: string) => callOperation(`/delete/${formatEntry(bucket, key)}`);
const listed = (bucket: string, prefix?: string) => collected(trash.list(bucket, { prefix }));
const idsOf = async (bucket: string) => (await listed(bucket)).map(({ id }) => id);

async function limitedClient(limits: KeyLimits) {
  const { key, secret } = await client.accounts.createKey({ limits });
  return sdkClient({ credentials: { accessKey: key, secretKey: secret } });
}

test('shows what can be brought back by key, the latest first, by prefix and in pages [trash-01]', async () => {
  const bucket = await newBucket();
  for (const content of ['first', 'second!']) await put(bucket, 'b/ü', content);
  await put(bucket, 'a', 'content', { fileType: 1 });
  const before = await recordOf(bucket, 'a');
  for (const key of ['b/ü', 'a']) await remove(bucket, key);
  const all = await listed(bucket);
  expect(all.map(({ key, reason, fsize }) => [key, reason, fsize])).toEqual([
    ['a', 'deleted', 7],
    ['b/ü', 'deleted', 7],
    ['b/ü', 'replaced', 5],
  ]);
  expect(await listed(bucket, 'b/')).toEqual(all.slice(1));
  const { hash, putTime, mimeType } = before;
  expect(all[0]).toMatchObject({ hash, putTime, mimeType, type: 1 });
  expect(Date.parse(all[0]?.until ?? '') - Date.parse(all[0]?.deleted ?? '')).toBe(7 * 86_400_000);
  const paged: unknown[] = [];
  for (let marker = ''; paged.length < 10; ) {
    const answer = await sendSigned({ method: 'GET', target: `/v1/trash/${bucket}?limit=1${marker}` });
    const page = answer.json() as { items: { id: string }[]; marker?: string };
    paged.push(...page.items.map(({ id }) => id));
    if (page.marker === undefined) break;
    marker = `&marker=${encodeURIComponent(page.marker)}`;
  }
  expect(paged).toEqual(all.map(({ id }) => id));
  const refused = await sendSigned({ method: 'GET', target: `/v1/trash/${bucket}?marker=x` });
  expectRefusalOf(refused, 640, 'invalid list marker');
});

test('brings back versions by id, as new versions of their key or under another one [trash-02]', async () => {
  const bucket = await newBucket();
  for (const content of ['first', 'second']) await put(bucket, 'k', content);
  const before = await recordOf(bucket, 'k');
  await remove(bucket, 'k');
  const [second = '', first = ''] = await idsOf(bucket);
  expect(await trash.undelete(bucket, [first], { as: 'old' })).toEqual([{ id: first, key: 'old' }]);
  await expectContent(bucket, 'old', 'first');
  expect(await trash.undelete(bucket, [second, first, '17'])).toEqual([
    { id: second, key: 'k' },
    { id: first, error: expect.stringMatching(/^no such file or directory: the trash has no version/) },
    { id: '17', error: expect.stringMatching(/gone after the 7 days/) },
  ]);
  await expectContent(bucket, 'k', 'second');
  expect((await recordOf(bucket, 'k')).putTime).toBeGreaterThan(before.putTime);
  expect(await listed(bucket)).toEqual([]);
});

test('replaces nothing, and keeps to the quota [trash-02]', async () => {
  const bucket = await newBucket();
  for (const content of ['first', 'second']) await put(bucket, 'k', content);
  const [first = ''] = await idsOf(bucket);
  expect(await trash.undelete(bucket, [first])).toEqual([
    { id: first, key: 'k', error: expect.stringMatching(/^file exists: k exists/) },
  ]);
  await expectContent(bucket, 'k', 'second');
  await client.buckets.setQuota(bucket, { size: 1 });
  expect(await trash.undelete(bucket, [first], { as: 'other' })).toEqual([
    { id: first, key: 'other', error: 'quota exceeded' },
  ]);
  await client.buckets.setQuota(bucket, { size: 100 });
  expect(await trash.undelete(bucket, [first], { as: 'other' })).toEqual([{ id: first, key: 'other' }]);
});

test('says of what can no longer be brought back why, and shows it no more [trash-02]', async () => {
  const [bucket, late, begun] = [await newBucket(), newKey(), newKey()];
  for (const key of [late, begun]) {
    await put(bucket, key, 'content');
    await remove(bucket, key);
  }
  const items = await listed(bucket);
  await region.database.beginCollecting(begun);
  const idOf = (key: string) => items.find((item) => item.key === key)?.id ?? '';
  const [ended] = await trash.undelete(bucket, [idOf(begun)]);
  expect(ended?.error).toMatch(/its bytes are being removed/);
  expect(await region.database.passTrashDays(late, 8)).toBe(1);
  const [over] = await trash.undelete(bucket, [idOf(late)]);
  expect(over?.error).toMatch(/7 days that it is kept/);
  expect(await listed(bucket)).toEqual([]);
  await expectNothing(bucket, late);
});

test('of a key with limits shows and brings back only what they allow [trash-03]', async () => {
  const bucket = await newBucket();
  for (const key of ['a/1', 'a/2', 'b/1']) {
    await put(bucket, key, key);
    await remove(bucket, key);
  }
  const [first = '', second = '', other = ''] = await idsOf(bucket);
  const limited = await limitedClient({ buckets: [bucket], prefixes: ['a/'], actions: ['list', 'write'] });
  await expect(collected(limited.trash.list(bucket))).rejects.toMatchObject({ status: 403 });
  expect(await collected(limited.trash.list(bucket, { prefix: 'a/' }))).toHaveLength(2);
  const answers = await limited.trash.undelete(bucket, [first, other]);
  expect(answers[0]).toEqual({ id: first, key: 'a/1' });
  expect(answers[1]).toEqual({ id: other, error: expect.stringMatching(/limit prefixes/) });
  // Under another key it could be read there.
  const [elsewhere] = await limited.trash.undelete(bucket, [second], { as: 'a/copy' });
  expect(elsewhere?.error).toMatch(/limit actions: the key may not read/);
  await expectNothing(bucket, 'b/1');
});

test('refuses wrong requests, and ids of another bucket are nobody’s [trash-02]', async () => {
  const [bucket, another] = [await newBucket(), await newBucket()];
  await put(another, 'k', 'content');
  await remove(another, 'k');
  const [id = ''] = await idsOf(another);
  expect(await trash.undelete(bucket, [id])).toEqual([{ id, error: expect.stringMatching(/no version/) }]);
  const body = (given: unknown) =>
    sendSigned({
      target: `/v1/trash/${bucket}/undelete`,
      body: JSON.stringify(given),
      contentType: 'application/json',
    });
  for (const wrong of [[], {}, { ids: [] }, { ids: ['x'] }, { ids: [1] }, { ids: ['1', '2'], as: 'k' }])
    expectRefusalOf(await body(wrong), 400, 'invalid argument');
});

test('by command: listed, brought back by key, by id and all below a prefix [trash-04]', async () => {
  const bucket = await newBucket();
  for (const key of ['x/1', 'x/2', 'y']) await put(bucket, key, `old ${key}`);
  await put(bucket, 'x/1', 'new x/1');
  for (const key of ['x/1', 'x/2', 'y']) await remove(bucket, key);
  const rows = await cli.json(['trash', 'list', `:${bucket}/x/`]);
  expect(rows.map(({ key, reason }) => [key, reason])).toEqual([
    ['x/1', 'deleted'],
    ['x/1', 'replaced'],
    ['x/2', 'deleted'],
  ]);
  const { stdout } = await cli.run(['trash', 'list', `:${bucket}`, '--limit', '1']);
  expect(stdout).toMatch(/^ID +KEY +REASON +DELETED +UNTIL[^\n]*\n\d+ +x\/1 [^\n]*\n$/);
  const old = String(rows[1]?.id);
  expect(await cli.run(['trash', 'undelete', `:${bucket}/x/1`, '--id', old, '--as', 'old'])).toMatchObject({
    code: 0,
    stdout: 'old is back\n',
  });
  await put(bucket, 'x/2', 'there again');
  const all = await cli.run(['trash', 'undelete', '-r', `:${bucket}/x/`]);
  expect([all.code, all.stdout]).toEqual([1, 'x/1 is back\n']);
  expect(all.stderr).toMatch(/^x\/2: file exists/);
  await expectContent(bucket, 'x/1', 'new x/1');
  await expectContent(bucket, 'old', 'old x/1');
  expect(await cli.json(['trash', 'undelete', `:${bucket}/y`])).toMatchObject([{ key: 'y' }]);
  expect((await cli.run(['trash', 'undelete', `:${bucket}/y`])).code).toBe(3);
  expect((await cli.run(['trash', 'undelete', `:${bucket}`])).code).toBe(2);
});
