/** What `millpond sync` must not do: delete by mistake, run in circles, or take a file for a folder. */
import { existsSync } from 'node:fs';
import { mkdir, rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import { finishCommand } from '@millpond/testing';
import { expect, test } from 'vitest';
import { bucketOf, type Files, keysOf, treeIn } from '../support/objects/trees.ts';
import { useCommandLine } from '../support/running/cli.ts';
import { newBucket } from '../support/target.ts';

const cli = useCommandLine();
const treeOf = (name: string, files: Files) => treeIn(path.join(cli.folder, name), files);

async function summary(args: readonly string[], environment = cli.environment): Promise<unknown> {
  const { stdout } = await finishCommand(environment, ['sync', ...args, '--json']);
  return JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '');
}

test('an empty source deletes nothing, however it came to be empty', async () => {
  const bucket = await bucketOf({ 'p/a': 'a', 'p/b.txt': 'b' });
  const empty = await treeOf('unmounted', {});
  await mkdir(path.join(empty, 'lost+found'));
  const wrong = await treeOf('wrong', { 'x.jpg': 'x' });
  const nothing = await newBucket();
  const target = await treeOf('kept', { a: 'a' });
  for (const args of [
    [empty, `:${bucket}/p`],
    [wrong, `:${bucket}/p`, '--include', '*.txt'],
    [`:${nothing}`, `:${bucket}/p`],
    [`:${bucket}/typo`, target],
    [`:${nothing}`, target, '--dry-run'],
    [path.join(cli.folder, 'not there'), `:${bucket}/p`],
  ]) {
    const { code, stderr } = await cli.run(['sync', ...args, '--delete']);
    const said = expect.stringMatching(/nothing (?:is below|was deleted)|ENOENT/);
    expect([args, code, stderr]).toEqual([args, 3, said]);
  }
  expect(await keysOf(bucket)).toEqual(['p/a', 'p/b.txt']);
  expect(existsSync(path.join(target, 'a'))).toBe(true);
  // An empty bucket is no mistake where nothing would be deleted.
  expect(await cli.run(['sync', `:${nothing}`, target])).toMatchObject({ code: 0 });
});

test('a source that can’t be listed whole deletes nothing', async () => {
  const bucket = await bucketOf({ a: 'a', extra: 'x' });
  const folder = await treeOf('broken', { a: 'a', b: 'b' });
  await symlink('nowhere', path.join(folder, 'link'));
  const args = ['sync', folder, `:${bucket}`, '--delete'];
  expect(await cli.run(args)).toMatchObject({ code: 1, stdout: expect.stringContaining('1 copied') });
  expect(await keysOf(bucket)).toEqual(['a', 'b', 'extra']);
  await rm(path.join(folder, 'link'));
  expect(await summary(args.slice(1))).toMatchObject({ deleted: 1, failed: 0 });
});

test.each([
  ['two folders', (bucket: string) => ['a', 'b', bucket].slice(0, 2)],
  ['a pipe', (bucket: string) => ['-', `:${bucket}`]],
  ['no bucket', () => ['.', ':']],
  ['a target in its source', (bucket: string) => [`:${bucket}/a`, `:${bucket}/a/b`]],
  ['a source in its target', (bucket: string) => [`:${bucket}/a/`, `:${bucket}`]],
  ['the same place twice', (bucket: string) => [`:${bucket}/a`, `:${bucket}/a/`]],
  ['a pattern that is none', (bucket: string) => ['.', `:${bucket}`, '--exclude', '[z-a]']],
])('%s is a mistake, with 2', async (_, args) => {
  expect(await cli.run(['sync', ...args(await newBucket())])).toMatchObject({ code: 2, stdout: '' });
});

test('a file is no source and no target; a bucket that is not there is not found', async () => {
  const bucket = await bucketOf({ a: 'a' });
  const folder = await treeOf('file', { f: 'f' });
  expect(await cli.run(['sync', path.join(folder, 'f'), `:${bucket}`])).toMatchObject({ code: 2 });
  expect(await cli.run(['sync', `:${bucket}`, path.join(folder, 'f')])).toMatchObject({ code: 2 });
  expect(await cli.run(['sync', folder, ':no-such-bucket-here'])).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('no-such-bucket-here'),
  });
});
