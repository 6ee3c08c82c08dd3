/** `millpond cp -r` where a tree has more in it than files that can be read, and where a target was changed in between. */
import { execFileSync } from 'node:child_process';
import { readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { type Files, keysOf, treeIn } from '../support/objects/trees.ts';
import { useCommandLine } from '../support/running/cli.ts';
import { sdkClient } from '../support/running/sdk.ts';
import { newBucket } from '../support/target.ts';

const cli = useCommandLine();
const client = sdkClient();

const treeOf = (name: string, files: Files) => treeIn(path.join(cli.folder, name), files);

test('what fails on the way through a tree is listed with its own target, and fed back it arrives there', async () => {
  const bucket = await newBucket();
  const folder = await treeOf('two', { a: 'a', 'd/e': 'e' });
  await symlink('nowhere', path.join(folder, 'b'));
  await symlink('nowhere', path.join(folder, 'd/c'));
  const list = path.join(cli.folder, 'two.tsv');
  expect(await cli.run(['cp', '-r', folder, `:${bucket}/t`, '--failure-list', list])).toMatchObject({
    code: 1,
  });
  const lines = (await readFile(list, 'utf8')).trimEnd().split('\n').sort();
  expect(lines.map((line) => line.split('\t').slice(0, 2))).toEqual([
    [path.join(folder, 'b'), `:${bucket}/t/b`],
    [path.join(folder, 'd/c'), `:${bucket}/t/d/c`],
  ]);
  await writeFile(path.join(folder, 'nowhere'), 'b');
  await writeFile(path.join(folder, 'd/nowhere'), 'c');
  // As a folder is listed that could not be read.
  await treeOf('two', { 'was locked/1': '1', 'was locked/x/2': '2' });
  await writeFile(list, `${path.join(folder, 'was locked')}/\t:${bucket}/t/was locked/\t0\tEACCES\n`, {
    flag: 'a',
  });
  const again = path.join(cli.folder, 'again.tsv');
  expect(await cli.run(['cp', '--from', list, '--failure-list', again])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('give --recursive'),
  });
  expect(await cli.run(['cp', '-r', '--from', again])).toMatchObject({ code: 0 });
  expect(await keysOf(bucket)).toEqual([
    't/a',
    't/b',
    't/d/c',
    't/d/e',
    't/was locked/1',
    't/was locked/x/2',
  ]);
  expect((await client.objects.stat(bucket, 't/d/c')).fsize).toBe(1);
});

test('an unsafe key has no target, and a list with it fails again instead of writing elsewhere', async () => {
  const bucket = await newBucket();
  await client.upload(bucket, 'p//x', 'x');
  const [list, target] = [path.join(cli.folder, 'unsafe.tsv'), path.join(cli.folder, 'unsafe')];
  await cli.run(['cp', '-r', `:${bucket}/p`, target, '--failure-list', list]);
  expect(await cli.run(['cp', '--from', list])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('no target'),
  });
  await expect(readdir(target)).rejects.toThrow('ENOENT');
});

test('what an interrupted copy has done is done again where it is gone since', async () => {
  const bucket = await newBucket();
  const folder = await treeOf('gone', { a: 'a', b: 'b', c: 'c', d: 'd' });
  // Something fails, so the command is not done, and the same command goes on.
  await symlink('nowhere', path.join(folder, 'e'));
  const up = ['cp', '-r', folder, `:${bucket}/g`];
  expect((await cli.json(up)).at(-1)).toMatchObject({ done: 4, skipped: 0, failed: 1 });
  await client.objects.delete(bucket, 'g/a');
  // The new content has the same size.
  await client.upload(bucket, 'g/b', 'B');
  expect((await cli.json(up)).at(-1)).toMatchObject({ done: 2, skipped: 2, failed: 1 });
  await rm(path.join(folder, 'e'));
  expect(await cli.run(up)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^0 copied.*; 4 done before, 0 failed\n$/),
  });
  expect((await client.objects.stat(bucket, 'g/b')).hash).not.toBe(
    (await client.objects.stat(bucket, 'g/a')).hash,
  );

  await client.upload(bucket, 'g//unsafe', 'x');
  const target = path.join(cli.folder, 'gone-down');
  const down = ['cp', '-r', `:${bucket}/g`, target];
  expect((await cli.json(down)).at(-1)).toMatchObject({ done: 4, skipped: 0, failed: 1 });
  await rm(path.join(target, 'a'));
  await writeFile(path.join(target, 'b'), 'longer');
  expect((await cli.json(down)).at(-1)).toMatchObject({ done: 2, skipped: 2, failed: 1 });
  expect(await readFile(path.join(target, 'b'), 'utf8')).toBe('b');

  const copy = await newBucket();
  const across = ['cp', '-r', `:${bucket}/g`, `:${copy}/h`];
  expect((await cli.json(across)).at(-1)).toMatchObject({ done: 5, failed: 0 });
});

test('the longest name that a file can have goes up and comes down', async () => {
  const bucket = await newBucket();
  const name = 'n'.repeat(254);
  const folder = await treeOf('long', { [name]: 'content' });
  expect(await cli.run(['cp', '-r', folder, `:${bucket}/l`])).toMatchObject({ code: 0 });
  const target = path.join(cli.folder, 'long-down');
  expect(await cli.run(['cp', '-r', `:${bucket}/l`, target])).toMatchObject({ code: 0, stderr: '' });
  expect(await readdir(target)).toEqual([name]);
  expect(await readFile(path.join(target, name), 'utf8')).toBe('content');
});

test('links to folders and pipes are left out, which is said; --follow-links follows, but in no circle', async () => {
  const bucket = await newBucket();
  const folder = await treeOf('links', { a: 'a' });
  await treeOf('elsewhere', { b: 'b' });
  await symlink('../elsewhere', path.join(folder, 'link'));
  await symlink('..', path.join(cli.folder, 'elsewhere/up'));
  await symlink('a', path.join(folder, 'file-link'));
  execFileSync('mkfifo', [path.join(folder, 'pipe')]);
  const plain = await cli.run(['cp', '-r', folder, `:${bucket}/l`]);
  expect(plain).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^2 copied.*, 2 left out, 0 failed/),
  });
  expect(plain.stderr).toContain('links/link: left out: it is a link to a folder');
  expect(plain.stderr).toContain('links/pipe: left out: it is a pipe');
  expect(await keysOf(bucket)).toEqual(['l/a', 'l/file-link']);
  const lines = await cli.json(['cp', '-r', path.join(cli.folder, 'links'), `:${bucket}/l`]);
  expect(lines).toContainEqual({
    source: path.join(folder, 'pipe'),
    target: `:${bucket}/l/pipe`,
    status: 'leftOut',
    reason: 'it is a pipe',
  });
  expect(lines.at(-1)).toMatchObject({ done: 2, leftOut: 2, failed: 0 });

  const other = await newBucket();
  const circle = await treeOf('circle', { 'in/a': 'a' });
  await symlink('..', path.join(circle, 'in/back'));
  await symlink('../elsewhere/b', path.join(circle, 'b'));
  await rm(path.join(cli.folder, 'elsewhere/up'));
  await symlink('../elsewhere', path.join(circle, 'link'));
  const followed = await cli.json(['cp', '-r', '--follow-links', circle, `:${other}`]);
  expect(followed.at(-1)).toMatchObject({ done: 3, leftOut: 1, failed: 0 });
  expect(await keysOf(other)).toEqual(['b', 'in/a', 'link/b']);
});

test('a name that is not UTF-8 is called that', async () => {
  const bucket = await newBucket();
  const folder = await treeOf('latin', { a: 'a' });
  await writeFile(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0x66, 0xfc, 0x72])]), 'x');
  const { code, stderr } = await cli.run(['cp', '-r', folder, `:${bucket}`]);
  expect([code, stderr]).toEqual([1, expect.stringContaining('not UTF-8')]);
});
