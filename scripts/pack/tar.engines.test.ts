// @module-tag debian
import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { filesOf, writeTarGz } from './tar.ts';

const run = promisify(execFile);
const DEEP = `${'folder/'.repeat(20)}a-file-with-a-name.txt`;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'millpond-tar-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function place(name: string, mode: number, at: Date): Promise<string> {
  const root = path.join(folder, name);
  for (const [file, text] of Object.entries({ b: 'b', 'a/c': '', B: 'x'.repeat(512), [DEEP]: 'deep' })) {
    await mkdir(path.join(root, path.dirname(file)), { recursive: true });
    await writeFile(path.join(root, file), text);
    await chmod(path.join(root, file), file === 'b' ? mode | 0o100 : mode);
    await utimes(path.join(root, file), at, at);
  }
  return root;
}

test('modes, times and owners of files do not show, and tar unpacks what was packed', async () => {
  const archives = [];
  for (const [name, mode] of [['one', 0o644] as const, ['two', 0o600] as const]) {
    const root = await place(name, mode, new Date(mode * 1e9));
    const archive = path.join(folder, `${name}.tgz`);
    await writeTarGz(await filesOf(root, 'package'), archive, 499_162_500);
    archives.push(archive);
  }
  const [one = '', two = ''] = archives;
  expect((await readFile(one)).equals(await readFile(two))).toBe(true);
  const { stdout } = await run('tar', ['--numeric-owner', '--full-time', '--utc', '-tvzf', one]);
  expect(
    stdout
      .trim()
      .split('\n')
      .map((line) => line.replace(/ +\d+ 1985-10-26 08:15:00 /, ' ')),
  ).toEqual([
    '-rw-r--r-- 0/0 package/B',
    '-rw-r--r-- 0/0 package/a/c',
    '-rwxr-xr-x 0/0 package/b',
    `-rw-r--r-- 0/0 package/${DEEP}`,
  ]);
  await run('tar', ['-C', folder, '-xzf', one]);
  await run('diff', ['-r', path.join(folder, 'one'), path.join(folder, 'package')]);
});

test('a name that fits nowhere is refused', async () => {
  const long = [{ name: `package/${'n'.repeat(101)}`, from: Buffer.from('') }];
  await expect(writeTarGz(long, path.join(folder, 'x.tgz'), 0)).rejects.toThrow('too long for an archive');
});
