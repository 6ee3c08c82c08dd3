/** `millpond sync` of a folder into a bucket, and between buckets: what differs is sent, and the rest is left alone. */
import { symlink, utimes } from 'node:fs/promises';
import path from 'node:path';
import { finishCommand } from '@millpond/testing';
import { expect, test } from 'vitest';
import { randomContent } from '../support/objects/objects.ts';
import { bucketOf, type Files, keysOf, treeIn } from '../support/objects/trees.ts';
import { startRecordingProxy } from '../support/receivers/recording-proxy.ts';
import { useCommandLine } from '../support/running/cli.ts';
import { sdkClient } from '../support/running/sdk.ts';
import { newBucket } from '../support/target.ts';

const MIB = 1024 * 1024;
const cli = useCommandLine();
const client = sdkClient();
const treeOf = (name: string, files: Files) => treeIn(path.join(cli.folder, name), files);

async function summary(args: readonly string[], environment = cli.environment): Promise<unknown> {
  const { stdout } = await finishCommand(environment, ['sync', ...args, '--json']);
  return JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '');
}

test('what is missing or differs is sent, and the second time nothing is', async () => {
  const bucket = await bucketOf({
    'p/size': 'abc',
    'p/bytes': 'abc',
    'p/only': 'x',
    other: 'o',
    'pq/x': 'x',
  });
  const folder = await treeOf('up', {
    size: 'abcd',
    bytes: 'abd',
    'new/ü 1': 'n',
    empty: '',
    large: randomContent(9 * MIB),
  });
  const args = [folder, `:${bucket}/p`];
  expect(await summary(args)).toMatchObject({ done: 5, skipped: 0, deleted: 0, failed: 0 });
  expect(await client.download(bucket, 'p/bytes').then((got) => got.text())).toBe('abd');
  const line = await startRecordingProxy();
  const environment = { ...cli.environment, MILLPOND_ENDPOINT: line.url };
  expect(await finishCommand(environment, ['sync', ...args])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^0 copied \(0 B\) in .*; 0 deleted, 5 the same, 0 failed\n$/),
  });
  expect(new Set(line.ended.map(({ method, target }) => `${method} ${target.replace(/\?.*/, '')}`))).toEqual(
    new Set(['GET /list']),
  );
  expect(await keysOf(bucket)).toEqual([
    'other',
    'p/bytes',
    'p/empty',
    'p/large',
    'p/new/ü 1',
    'p/only',
    'p/size',
    'pq/x',
  ]);
});

test('--delete takes away what only the target has, and --dry-run tells it before', async () => {
  const bucket = await bucketOf({ 'p/a': 'a', 'p/old/1': '1', 'p/old/2': '2', 'p/folder/': '', 'q/x': 'x' });
  const folder = await treeOf('deleting', { a: 'a', b: 'b' });
  const args = [folder, `:${bucket}/p`, '--delete'];
  const planned = await cli.run(['sync', ...args, '--dry-run']);
  expect(planned).toMatchObject({ code: 0, stderr: '' });
  expect(planned.stdout.split('\n')).toEqual([
    `${path.join(folder, 'b')} → :${bucket}/p/b`,
    `delete :${bucket}/p/old/1`,
    `delete :${bucket}/p/old/2`,
    '1 would be copied, 2 deleted; 1 the same, 0 failed',
    '',
  ]);
  expect(await keysOf(bucket)).toHaveLength(5);
  const lines = await cli.json(['sync', ...args]);
  expect(lines).toContainEqual({ source: `:${bucket}/p/old/1`, status: 'done', action: 'delete' });
  expect(lines.at(-1)).toMatchObject({ done: 3, deleted: 2, skipped: 1, failed: 0 });
  expect(await keysOf(bucket)).toEqual(['p/a', 'p/b', 'p/folder/', 'q/x']);
});

test('what is excluded is neither sent nor deleted; the first rule that matches decides', async () => {
  const bucket = await bucketOf({ 'cache/old': 'x', 'old.tmp': 'x', 'old.txt': 'x' });
  const folder = await treeOf('rules', { 'a.tmp': 'a', 'keep.tmp': 'k', 'd/cache/x': 'x', 'd/b': 'b' });
  const rules = ['--include', '/keep.*', '--exclude', '*.tmp', '--exclude', 'cache/'];
  expect(await summary([folder, `:${bucket}`, '--delete', ...rules])).toMatchObject({ done: 3, deleted: 1 });
  expect(await keysOf(bucket)).toEqual(['cache/old', 'd/b', 'keep.tmp', 'old.tmp']);
  expect(await summary([folder, `:${bucket}`, '--include', 'a.*'])).toMatchObject({ done: 1, skipped: 0 });
});

test('an object that was cut into other parts is compared all the same', async () => {
  const bucket = await newBucket();
  const content = randomContent(13 * MIB);
  const folder = await treeOf('cut', { eight: content, five: content, old: content, changed: content });
  const [now, later] = [new Date(), new Date(Date.now() + 60_000)];
  await client.upload(bucket, 'eight', content, { partSize: 8 * MIB });
  for (const key of ['five', 'old', 'changed'])
    await client.upload(bucket, key, content, { partSize: 5 * MIB });
  // In parts of whole blocks the hash tells, whatever the time; of others only where their size is given.
  await utimes(path.join(folder, 'eight'), later, later);
  await utimes(path.join(folder, 'five'), later, later);
  await utimes(path.join(folder, 'old'), now, new Date(now.getTime() - 60_000));
  await utimes(path.join(folder, 'changed'), later, later);
  const args = [folder, `:${bucket}`, '--exclude', 'changed', '--part-size', '5m'];
  expect(await summary(args)).toMatchObject({ done: 0, skipped: 3 });
  // Without it, one that was not changed since it was stored is the same, and one that was is sent, once.
  const lines = await cli.json(['sync', folder, `:${bucket}`, '--exclude', 'five']);
  expect(lines).toMatchObject([
    { target: `:${bucket}/changed`, status: 'done' },
    { done: 1, skipped: 2 },
  ]);
  expect(await summary([folder, `:${bucket}`, '--exclude', 'five'])).toMatchObject({ done: 0, skipped: 3 });
});

test('--by-time believes a file of the right size that was not changed since', async () => {
  const bucket = await bucketOf({ a: 'aaa', b: 'bbb' });
  const folder = await treeOf('by-time', { a: 'AAA', b: 'BBB' });
  const before = new Date(Date.now() - 3_600_000);
  await utimes(path.join(folder, 'a'), before, before);
  const after = new Date(Date.now() + 3_600_000);
  await utimes(path.join(folder, 'b'), after, after);
  expect(await summary([folder, `:${bucket}`, '--by-time'])).toMatchObject({ done: 1, skipped: 1 });
  expect(await summary([folder, `:${bucket}`])).toMatchObject({ done: 1, skipped: 1 });
});

test('links to folders are left out, and what was stored of them before is not deleted', async () => {
  const bucket = await newBucket();
  const folder = await treeOf('linked', { a: 'a' });
  await treeOf('linked-to', { x: 'x', 'y/z': 'z' });
  await symlink('../linked-to', path.join(folder, 'link'));
  const args = [folder, `:${bucket}`, '--delete'];
  expect(await summary([...args, '--follow-links'])).toMatchObject({ done: 3, leftOut: 0 });
  const { code, stdout, stderr } = await cli.run(['sync', ...args]);
  expect([code, stdout]).toEqual([0, expect.stringContaining('0 deleted, 1 the same, 1 left out, 0 failed')]);
  expect(stderr).toContain('linked/link/: left out: it is a link to a folder');
  expect(await keysOf(bucket)).toEqual(['a', 'link/x', 'link/y/z']);
});

test('objects are copied by the server, with what belongs to them, and known again by their hash', async () => {
  const from = await newBucket();
  await client.upload(from, 'p/a', 'a', { mimeType: 'text/x-own', metadata: { colour: 'blue' } });
  await client.upload(from, 'p/cut', randomContent(11 * MIB), { partSize: 5 * MIB });
  await client.upload(from, 'p/folder/', '');
  const to = await bucketOf({ 'q/a': 'A', 'q/extra': 'x' });
  const line = await startRecordingProxy();
  const environment = { ...cli.environment, MILLPOND_ENDPOINT: line.url };
  expect(await summary([`:${from}/p`, `:${to}/q`, '--delete'], environment)).toMatchObject({
    done: 4,
    deleted: 1,
    sent: 0,
  });
  expect(line.ended.filter(({ target }) => target.startsWith('/copy/'))).toHaveLength(3);
  expect(line.ended.every(({ bytes }) => bytes < 1000)).toBe(true);
  expect(await keysOf(to)).toEqual(['q/a', 'q/cut', 'q/folder/']);
  expect(await client.objects.stat(to, 'q/a')).toMatchObject({
    mimeType: 'text/x-own',
    metadata: { colour: 'blue' },
  });
  expect(await summary([`:${from}/p`, `:${to}/q`, '--delete'])).toMatchObject({ done: 0, skipped: 3 });
});

test('what was disabled after it was copied is disabled at the target too, which is told; never the other way round', async () => {
  const [from, to] = [await bucketOf({ a: 'a', b: 'b', c: 'c' }), await newBucket()];
  const sync = ['sync', `:${from}`, `:${to}`];
  expect(await cli.run(sync)).toMatchObject({ code: 0, stdout: expect.stringMatching(/^3 copied/) });
  await client.objects.changeStatus(from, 'a', true);
  await client.objects.changeStatus(to, 'b', true);
  expect((await cli.run([...sync, '--dry-run'])).stdout).toBe(
    `disable :${to}/a\n0 would be copied, 0 deleted; 2 the same, 1 disabled, 0 failed\n`,
  );
  const statuses = async () =>
    Promise.all(['a', 'b', 'c'].map(async (key) => (await client.objects.stat(to, key)).status ?? 0));
  expect(await statuses()).toEqual([0, 1, 0]);
  expect(await cli.json(sync)).toMatchObject([
    { source: `:${from}/a`, target: `:${to}/a`, status: 'done', action: 'disable' },
    { status: 'summary', done: 1, skipped: 2, disabled: 1, failed: 0 },
  ]);
  expect(await statuses()).toEqual([1, 1, 0]);
  expect((await cli.run(sync)).stdout).toMatch(/^0 copied \(0 B\) in .*; 0 deleted, 3 the same, 0 failed\n$/);
});
