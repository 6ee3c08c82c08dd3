import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { readOptions, UsageError } from './options.ts';

const run = promisify(execFile);
const read = (line: string) => readOptions(line.split(' ').filter((word) => word !== ''));

test('a release, a dry run, and a version', () => {
  expect(read('--registry ghcr.io/somebody')).toEqual({
    isDryRun: false,
    isTwice: false,
    images: 'registry',
    registry: 'ghcr.io/somebody',
    out: undefined,
  });
  expect(read('--dry-run --twice --images debootstrap --out o')).toMatchObject({
    isDryRun: true,
    isTwice: true,
    images: 'debootstrap',
    out: 'o',
  });
  expect(read('--dry-run --images none')).toMatchObject({ images: 'none' });
  expect(read('--set-version 1.2.3')).toEqual({ setVersion: '1.2.3' });
});

test.each([
  ['--set-version 1.2.3 --dry-run', 'stands alone'],
  ['--set-version 1.2.3 --images none', 'stands alone'],
  ['--set-version 1.2.3 --out o', 'stands alone'],
  ['--dry-run --images alpine', 'must be registry, debootstrap or none'],
  ['--registry r.example.com --images debootstrap', 'not to be published'],
  ['--registry r.example.com --images none', 'not to be published'],
  ['--registry r.example.com --twice', 'for a dry run'],
  ['', 'needs --registry'],
  ['--registry https://r.example.com', 'must be a host and a path'],
  ['--registry r.example.com;reboot', 'must be a host and a path'],
  ['--dryrun', '--dryrun'],
  ['--dry-run 1.2.3', '1.2.3'],
])('"%s" is refused: %s', (line, why) => {
  expect(() => read(line)).toThrow(UsageError);
  expect(() => read(line)).toThrow(why);
});

test('the command says how it is used, with exit code 2', async () => {
  const refused = run(process.execPath, ['scripts/release/main.ts', '--dry-run', '--set-version', '9.9.9']);
  await expect(refused).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--set-version stands alone\nnpm run release -- --registry'),
  });
});
