/** `millpond sync` of a bucket into a folder: safe names, times, links, and room for what comes. */
import { mkdir, readdir, readFile, stat, symlink, utimes } from 'node:fs/promises';
import path from 'node:path';
import { putTimeToDate } from '@millpond/client/server';
import { finishCommand } from '@millpond/testing';
import { expect, test } from 'vitest';
import { randomContent } from '../support/objects/objects.ts';
import { bucketOf, type Files, filesIn, treeIn } from '../support/objects/trees.ts';
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

test('what is missing or differs arrives with the time of its object; what is too much goes with its folders', async () => {
  const bucket = await bucketOf({ 'p/same': 's', 'p/bytes': 'abc', 'p/d/e/new': 'n', 'p/folder/': '' });
  const folder = await treeOf('down', {
    same: 's',
    bytes: 'xyz',
    'old/x/1': '1',
    'old/2': '2',
    'keep/3': '3',
  });
  await mkdir(path.join(folder, 'empty'));
  const args = [`:${bucket}/p`, folder, '--delete', '--exclude', '/keep/'];
  const { code, stdout, stderr } = await cli.run(['sync', ...args]);
  expect([code, stdout, stderr]).toEqual([
    0,
    expect.stringMatching(/^2 copied \(4 B\).* received; 2 deleted, 1 the same, 1 left out, 0 failed\n$/),
    `millpond: :${bucket}/p/folder/: left out: it is only a folder marker\n`,
  ]);
  expect(await filesIn(folder)).toEqual(['bytes', 'd/e/new', 'keep/3', 'same']);
  expect((await readdir(folder)).sort()).toEqual(['bytes', 'd', 'empty', 'keep', 'same']);
  expect(await readFile(path.join(folder, 'bytes'), 'utf8')).toBe('abc');
  const { putTime } = await client.objects.stat(bucket, 'p/d/e/new');
  const { mtimeMs } = await stat(path.join(folder, 'd/e/new'));
  expect(Math.abs(mtimeMs - putTimeToDate(putTime).getTime())).toBeLessThan(2);
  expect(await summary(args)).toMatchObject({ done: 0, skipped: 3, failed: 0 });
});

test('an object in other parts is known by its time, and comes again where the file was changed', async () => {
  const bucket = await newBucket();
  await client.upload(bucket, 'video', randomContent(11 * MIB), { partSize: 5 * MIB });
  const folder = path.join(cli.folder, 'down-cut');
  expect(await summary([`:${bucket}`, folder])).toMatchObject({ done: 1 });
  expect(await summary([`:${bucket}`, folder])).toMatchObject({ done: 0, skipped: 1 });
  await utimes(path.join(folder, 'video'), new Date(), new Date());
  expect(await summary([`:${bucket}`, folder])).toMatchObject({ done: 1 });
});

test('keys that are no names of files fail, and then nothing is deleted', async () => {
  const bucket = await bucketOf({
    'p/../up': 'x',
    'p//absolute': 'x',
    'p/a/b': 'x',
    'p/full/': 'x',
    'p/ok': 'x',
  });
  const folder = await treeOf('unsafe/in', { extra: 'x' });
  const { code, stderr, stdout } = await cli.run(['sync', `:${bucket}/p`, folder, '--delete']);
  expect(code).toBe(1);
  expect(stderr.match(/not a safe file name/g)).toHaveLength(3);
  expect(stderr).toContain('nothing was deleted, because something failed: 1 exist only at the target');
  expect(stdout).toContain('2 copied');
  expect(await filesIn(path.join(cli.folder, 'unsafe'))).toEqual(['in/a/b', 'in/extra', 'in/ok']);
});

test('a file where a folder is needed and the other way round: --delete makes room, else it is told', async () => {
  const bucket = await bucketOf({ 'a/b': 'in a', c: 'c itself', e: 'e itself' });
  const folder = await treeOf('room', { a: 'file', 'c/d': 'in c' });
  await mkdir(path.join(folder, 'e'));
  const { code, stderr } = await cli.run(['sync', `:${bucket}`, folder]);
  expect([code, stderr.match(/cannot be written/g)?.length]).toEqual([2, 3]);
  expect(await filesIn(folder)).toEqual(['a', 'c/d']);
  expect(await summary([`:${bucket}`, folder, '--delete'])).toMatchObject({ done: 5, deleted: 2, failed: 0 });
  expect(await filesIn(folder)).toEqual(['a/b', 'c', 'e']);
});

test('nothing is written through a link to a folder', async () => {
  const bucket = await bucketOf({ 'link/x': 'new', y: 'y' });
  const folder = await treeOf('through', {});
  const elsewhere = await treeOf('through-elsewhere', { x: 'old' });
  await symlink(elsewhere, path.join(folder, 'link'));
  const lines = await cli.json(['sync', `:${bucket}`, folder, '--delete']);
  expect(lines.at(-1)).toMatchObject({ done: 1, leftOut: 1, deleted: 0, failed: 0 });
  expect(await readFile(path.join(elsewhere, 'x'), 'utf8')).toBe('old');
  expect(await summary([`:${bucket}`, folder, '--follow-links'])).toMatchObject({ done: 1, skipped: 1 });
  expect(await readFile(path.join(elsewhere, 'x'), 'utf8')).toBe('new');
});

test('an archived object fails with what to do about it, unless the same is there', async () => {
  const bucket = await newBucket();
  for (const key of ['there', 'frozen'])
    await client.upload(bucket, key, 'cold', { policy: { fileType: 2 } });
  const folder = await treeOf('frozen', { there: 'cold' });
  const { code, stderr, stdout } = await cli.run(['sync', `:${bucket}`, folder]);
  expect([code, stderr]).toEqual([1, expect.stringMatching(/\/frozen: it is archived: `millpond restore`/)]);
  expect(stdout).toContain('1 the same, 1 failed');
});
