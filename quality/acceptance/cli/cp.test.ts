/** `millpond cp` in every direction, with lists that can be fed back. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { randomContent } from '../support/objects/objects.ts';
import { type Files, treeIn } from '../support/objects/trees.ts';
import { useCommandLine } from '../support/running/cli.ts';
import { sdkClient } from '../support/running/sdk.ts';
import { newBucket } from '../support/target.ts';

const MIB = 1024 * 1024;
const cli = useCommandLine();
const client = sdkClient();

const folderOf = (name: string, files: Files) => treeIn(path.join(cli.folder, name), files);

test('a folder goes up, between buckets and down again, and is the same', async () => {
  const [one, two] = [await newBucket(), await newBucket()];
  const files = {
    'a.txt': 'text',
    'd/e/ü & %.bin': randomContent(70_000),
    empty: '',
    large: randomContent(9 * MIB),
  };
  const source = await folderOf('up', files);
  const up = await cli.json(['cp', '-r', source, `:${one}/p`]);
  expect(up.at(-1)).toMatchObject({ status: 'summary', done: 4, skipped: 0, failed: 0 });
  expect(up).toContainEqual(
    expect.objectContaining({
      source: path.join(source, 'a.txt'),
      target: `:${one}/p/a.txt`,
      status: 'done',
    }),
  );
  const between = await cli.run(['cp', '-r', `:${one}/p`, `:${two}/q`]);
  expect(between).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/^4 copied/) });
  const target = path.join(cli.folder, 'down');
  expect(await cli.run(['cp', '-r', `:${two}/q/`, target, '--quiet'])).toEqual({
    code: 0,
    stdout: '',
    stderr: '',
  });
  for (const [file, content] of Object.entries(files))
    expect((await readFile(path.join(target, file))).equals(Buffer.from(content)), file).toBe(true);
  const names = await readdir(target, { recursive: true });
  expect(names.filter((name) => name.endsWith('.part'))).toEqual([]);
});

test('standard input and output, single files, and a target that is a folder', async () => {
  const bucket = await newBucket();
  expect(await cli.run(['cp', '-', `:${bucket}/piped`], 'from a pipe')).toMatchObject({ code: 0 });
  expect(await cli.run(['cp', `:${bucket}/piped`, '-'])).toMatchObject({ code: 0, stdout: 'from a pipe' });
  const folder = await folderOf('single', { 'f.txt': 'x' });
  const meta = ['--mime', 'text/x-own', '--meta', 'colour=blue', '--class', '1'];
  await cli.run(['cp', path.join(folder, 'f.txt'), `:${bucket}/in/`, ...meta]);
  expect(await client.objects.stat(bucket, 'in/f.txt')).toMatchObject({
    mimeType: 'text/x-own',
    type: 1,
    metadata: { colour: 'blue' },
  });
  await cli.run(['cp', `:${bucket}/in/f.txt`, folder + path.sep]);
  expect(await readFile(path.join(folder, 'f.txt'), 'utf8')).toBe('x');
});

test('what fails is told with its reason, and its list can be fed back', async () => {
  const bucket = await newBucket();
  const folder = await folderOf('lists', { good: 'g', 'later\tone': 'l' });
  const missing = path.join(folder, 'missing');
  const lists = [
    '--success-list',
    path.join(folder, 'ok.tsv'),
    '--failure-list',
    path.join(folder, 'bad.tsv'),
  ];
  const list = [
    `${path.join(folder, 'good')}\t:${bucket}/good`,
    `${path.join(folder, 'later%09one')}\t:${bucket}/tab`,
    `${missing}\t:${bucket}/was missing`,
  ].join('\n');
  const first = await cli.run(['cp', '--from', '-', ...lists], list);
  expect([first.code, first.stderr]).toEqual([1, expect.stringContaining('missing: ENOENT')]);
  const failed = await readFile(path.join(folder, 'bad.tsv'), 'utf8');
  expect(failed).toMatch(new RegExp(`^${missing}\t:${bucket}/was missing\t0\tENOENT[^\t]*\n$`));
  expect((await readFile(path.join(folder, 'ok.tsv'), 'utf8')).split('\n')).toHaveLength(3);
  await writeFile(missing, 'now there');
  const again = await cli.run(['cp', '--from', path.join(folder, 'bad.tsv')]);
  expect(again).toMatchObject({ code: 0, stdout: expect.stringMatching(/^1 copied/) });
  expect(await client.objects.stat(bucket, 'was missing')).toMatchObject({ fsize: 9 });
});

test('a key that would lead out of the folder is refused', async () => {
  const bucket = await newBucket();
  for (const key of ['p/../../evil', 'p//x', 'p/ok']) await client.upload(bucket, key, key);
  const target = path.join(cli.folder, 'safe');
  const { code, stderr } = await cli.run(['cp', '-r', `:${bucket}/p`, target]);
  expect(code).toBe(1);
  expect(stderr.match(/not a safe file name/g)).toHaveLength(2);
  expect(await readdir(target)).toEqual(['ok']);
});

describe('exit codes', () => {
  test('0 done, 2 usage, 3 not found, 6 conflict', async () => {
    const bucket = await newBucket();
    const folder = await folderOf('codes', { one: '1', two: '2' });
    const [one, two] = [path.join(folder, 'one'), path.join(folder, 'two')];
    const codes = async (...args: string[]) => (await cli.run(args)).code;
    expect(await codes('cp', one, `:${bucket}/k`, '--no-overwrite')).toBe(0);
    expect(await codes('cp', two, `:${bucket}/k`, '--no-overwrite')).toBe(6);
    expect(await codes('cp', one, two)).toBe(2);
    expect(await codes('cp', folder, `:${bucket}/k`)).toBe(2);
    expect(await codes('cp', `:${bucket}/missing`, folder)).toBe(3);
    expect(await codes('cp', path.join(folder, 'missing'), `:${bucket}/k`)).toBe(3);
    expect(await codes('cp', one, 'nobody:bucket/k')).toBe(2);
  });
});

describe('two sources with one target', () => {
  const REFUSED = {
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(/ have one target, \S+, where only one/),
  };
  const names = async (bucket: string) => {
    const found: string[] = [];
    for await (const { item } of client.objects.list(bucket)) if (item !== undefined) found.push(item.key);
    return found;
  };

  test('are refused before anything is copied, up, between and down, one by one and below folders', async () => {
    const [bucket, empty] = [await newBucket(), await newBucket()];
    const folder = await folderOf('shared', { 'a/same.txt': '1', 'a/own.txt': '2', 'b/same.txt': '3' });
    const [a, b] = [path.join(folder, 'a'), path.join(folder, 'b')];
    for (const args of [
      [path.join(a, 'own.txt'), path.join(a, 'same.txt'), path.join(b, 'same.txt'), `:${empty}/`],
      ['-r', a, b, `:${empty}/p`],
      ['-r', a, b, `:${empty}/p`, '--dry-run'],
    ])
      expect(await cli.run(['cp', ...args])).toMatchObject(REFUSED);
    expect(await cli.run(['cp', '-r', folder, `:${bucket}`])).toMatchObject({ code: 0 });
    const down = path.join(cli.folder, 'shared-down');
    for (const args of [
      [`:${bucket}/a/same.txt`, `:${bucket}/b/same.txt`, `:${empty}`],
      ['-r', `:${bucket}/a`, `:${bucket}/b`, `:${empty}/q`],
      [`:${bucket}/a/same.txt`, `:${bucket}/b/same.txt`, down],
      ['-r', `:${bucket}/a`, `:${bucket}/b`, down],
      [`:${bucket}/a/same.txt`, `:${bucket}/b/same.txt`, '-'],
    ])
      expect(await cli.run(['cp', ...args])).toMatchObject(REFUSED);
    expect(await names(empty)).toEqual([]);
    await expect(readdir(down)).rejects.toThrow('ENOENT');
    // Different names, and one source that is named twice, lose nothing.
    const [own, same] = [`:${bucket}/a/own.txt`, `:${bucket}/b/same.txt`];
    expect(await cli.run(['cp', own, same, own, `:${empty}/`])).toMatchObject({ code: 0 });
    expect(await names(empty)).toEqual(['own.txt', 'same.txt']);
  });

  test('are refused in lists too, of cp, mv and fetch, also one that is piped', async () => {
    const [bucket, empty] = [await newBucket(), await newBucket()];
    for (const key of ['a', 'b', 'c']) await client.upload(bucket, key, key);
    const pairs = [
      [`:${bucket}/c`, `:${empty}/other`],
      [`:${bucket}/a`, `:${empty}/same`],
      [`:${bucket}/b`, `:${empty}/same`],
    ];
    const lines = (from: string[][]) => from.map((pair) => `${pair.join('\t')}\n`).join('');
    for (const command of ['cp', 'mv']) {
      expect(await cli.run([command, '--from', '-'], lines(pairs))).toMatchObject(REFUSED);
      expect(await cli.run([command, '--from', '-', '--dry-run'], lines(pairs))).toMatchObject(REFUSED);
      // One of the two by name, the other in the list.
      const named = [command, `:${bucket}/b`, `:${empty}/same`, '--from', '-'];
      expect(await cli.run(named, lines(pairs.slice(0, 2)))).toMatchObject(REFUSED);
    }
    const urls = pairs.map(([, to = '']) => [`http://127.0.0.1:9/${to}`, to]);
    urls[1] = ['http://127.0.0.1:9/another', `:${empty}/same`];
    expect(await cli.run(['fetch', '--from', '-'], lines(urls))).toMatchObject(REFUSED);
    expect([await names(bucket), await names(empty)]).toEqual([['a', 'b', 'c'], []]);
    expect(await cli.run(['mv', '--from', '-'], lines(pairs.slice(0, 2)))).toMatchObject({ code: 0 });
    expect([await names(bucket), await names(empty)]).toEqual([['b'], ['other', 'same']]);
  });
});
