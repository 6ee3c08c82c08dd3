// @module-tag debian
/** Archives as `podman save` writes them, of two builds of the same: two containers, two names, the same layers. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { settleArchive } from './archive.ts';

const run = promisify(execFile);
const EPOCH = 1_795_000_000;
const HEALTH = { Test: ['CMD', '/a'], Interval: 10_000_000_000 };
const sumOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'millpond-archives-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** With two layers that have the same file. */
async function save(name: string, random: string, change = ''): Promise<string> {
  const place = path.join(folder, name);
  const layers: string[] = [];
  for (const layer of ['lower', 'upper']) {
    const content = path.join(place, layer);
    await mkdir(path.join(content, 'usr/share'), { recursive: true });
    await writeFile(path.join(content, 'usr/share/list'), layer);
    await writeFile(path.join(content, layer), layer);
    const tarball = path.join(folder, `${layer}-of-${name}.tar`);
    await run('tar', ['--sort=name', `--mtime=@${EPOCH}`, '-C', content, '-cf', tarball, '.']);
    layers.push(tarball);
    await rm(content, { recursive: true });
  }
  const sums = await Promise.all(layers.map(async (file) => sumOf(await readFile(file))));
  const container = { Hostname: random.slice(0, 12), Healthcheck: HEALTH, Labels: { x: `y${change}` } };
  const config = Buffer.from(
    JSON.stringify({
      created: '2026-11-18T11:06:40Z',
      container: random,
      container_config: container,
      config: container,
      parent: `sha256:${sumOf(Buffer.from(random))}`,
      history: [
        { created_by: 'CMD', comment: 'FROM docker.io/library/debian:bookworm-slim' },
        { created_by: 'LABEL', comment: `FROM ${sumOf(Buffer.from(random)).slice(0, 12)}` },
      ],
      rootfs: { type: 'layers', diff_ids: sums.map((sum) => `sha256:${sum}`) },
    }),
  );
  const put = (file: string, content: string | Buffer) => writeFile(path.join(place, file), content);
  await put(`${sumOf(config)}.json`, config);
  for (const [number, sum] of sums.entries()) {
    await put(`${sum}.tar`, await readFile(layers[number] ?? ''));
    const old = path.join(place, sumOf(Buffer.from(`${random} ${number}`)));
    await mkdir(old);
    await writeFile(path.join(old, 'json'), random);
    await symlink(`../${sum}.tar`, path.join(old, 'layer.tar'));
  }
  const Layers = sums.map((sum) => `${sum}.tar`);
  const Config = `${sumOf(config)}.json`;
  await put('manifest.json', JSON.stringify([{ Config, RepoTags: ['localhost/tiny:1'], Layers }]));
  await put('repositories', JSON.stringify({ 'localhost/tiny': { 1: sumOf(Buffer.from(random)) } }));
  const saved = path.join(folder, `${name}.saved`);
  await run('tar', ['-C', place, '-cf', saved, '.']);
  return saved;
}

test('two builds of the same are the same bytes, with everything in them but what was random', async () => {
  const [one, two] = [await save('one', '42bc49ccf6e1a9d5'), await save('two', '87d256e24d935047')];
  expect((await readFile(one)).equals(await readFile(two))).toBe(false);
  const [first, second] = [path.join(folder, 'first.tar'), path.join(folder, 'second.tar')];
  const wanted = ['./usr/share/list', './lower', './nowhere'];
  const { id, files } = await settleArchive(one, first, { epoch: EPOCH, wanted });
  await settleArchive(two, second, { epoch: EPOCH });
  expect((await readFile(first)).equals(await readFile(second))).toBe(true);
  expect([...files].map(([name, content]) => [name, content.toString()])).toEqual([
    ['./usr/share/list', 'upper'],
    ['./lower', 'lower'],
  ]);

  const unpacked = path.join(folder, 'unpacked');
  await mkdir(unpacked);
  await run('tar', ['-C', unpacked, '-xf', first]);
  const read = (name: string) => readFile(path.join(unpacked, name));
  const [manifest] = JSON.parse((await read('manifest.json')).toString());
  expect(manifest).toMatchObject({ Config: `${id}.json`, RepoTags: ['localhost/tiny:1'] });
  const config = await read(manifest.Config);
  expect(sumOf(config)).toBe(id);
  expect(JSON.parse(config.toString())).toMatchObject({
    created: '2026-11-18T11:06:40Z',
    history: [
      { created_by: 'CMD', comment: 'FROM docker.io/library/debian:bookworm-slim' },
      { created_by: 'LABEL' },
    ],
    config: { Hostname: '', Healthcheck: HEALTH, Labels: { x: 'y' } },
    rootfs: { diff_ids: manifest.Layers.map((name: string) => `sha256:${name.replace('.tar', '')}`) },
  });
  expect(config.toString()).not.toMatch(/42bc49/);
  for (const name of manifest.Layers as string[]) expect(`${sumOf(await read(name))}.tar`).toBe(name);
  const listed = (await run('tar', ['--numeric-owner', '--full-time', '--utc', '-tvf', first])).stdout;
  const lines = listed.trim().split('\n');
  expect(lines).toHaveLength(4);
  for (const line of lines) expect(line).toMatch(/^-rw-r--r-- 0\/0 +\d+ 2026-11-18 11:06:40 \S+$/);
});

test('another configuration is another image', async () => {
  const targets = ['three', 'four'].map((name) => path.join(folder, `${name}.tar`));
  const one = await settleArchive(await save('three', 'aa'), targets[0] ?? '', { epoch: EPOCH });
  const other = await settleArchive(await save('four', 'bb', 'z'), targets[1] ?? '', { epoch: EPOCH });
  expect(one.id).not.toBe(other.id);
});

test('a layer that is not that of the image is refused', async () => {
  const saved = await save('five', 'cc');
  const place = path.join(folder, 'five');
  const [{ Layers }] = JSON.parse(await readFile(path.join(place, 'manifest.json'), 'utf8'));
  await writeFile(path.join(place, Layers[1]), 'something else');
  await run('tar', ['-C', place, '-cf', saved, '.']);
  const settled = settleArchive(saved, path.join(folder, 'five.tar'), { epoch: EPOCH });
  await expect(settled).rejects.toThrow('the layers are not those of the image');
});
