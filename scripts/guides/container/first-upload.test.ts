/**
 * The page of the first upload in a new Debian container that holds Node and npm, and nothing of ours but the packages. Needs the bases of
 * `npm run image -- --base debootstrap`, and Debian's mirror and npm's registry.
 */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { baseNames } from '@millpond/deploy/bases';
import { type PackedPackages, packPackages } from '@millpond/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runGuide } from '../run.ts';

const run = promisify(execFile);
const PAGE = path.join(import.meta.dirname, '../../../docs/first-upload.md');
/** For pictures: the sandbox makes namespaces of its own. Limits are lower than the machine's, which may not be raised everywhere. */
const FLAGS = [
  '--runtime',
  'runc',
  'run',
  '--detach',
  '--rm',
  '--network',
  'host',
  '--pull',
  'never',
  '--ulimit',
  'nofile=20000:20000',
  '--ulimit',
  'nproc=32000:32000',
  '--security-opt',
  'seccomp=unconfined',
  '--security-opt',
  'unmask=ALL',
];
const MAX_SECONDS = 60;

let packed: PackedPackages;
let id = '';
beforeAll(async () => {
  packed = await packPackages();
  const { stdout } = await run('podman', [
    ...FLAGS,
    '--volume',
    `${packed.home}/millpond:/home/me/millpond:ro`,
    // As the machine reaches them; nothing is in the container's cache.
    ...['npm_config_registry', 'HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY']
      .filter((name) => process.env[name] !== undefined)
      .flatMap((name) => ['--env', name]),
    (await baseNames()).node,
    'sleep',
    'infinity',
  ]);
  id = stdout.trim();
});
afterAll(async () => {
  if (id !== '') await run('podman', ['rm', '--force', '--time', '0', id]);
  await packed?.remove();
});

test(`first upload and thumbnail within ${MAX_SECONDS} s, by the commands of the page`, async () => {
  const began = Date.now();
  await run(
    'podman',
    [
      'exec',
      id,
      'sh',
      '-c',
      'apt-get update -qq && apt-get install -y -qq --no-install-recommends curl bubblewrap && useradd me && install -d -o me /home/me /home/me/app',
    ],
    { maxBuffer: 2 ** 24 },
  );
  const installedAt = Date.now();
  const place = {
    folder: '/',
    environment: { PATH: process.env.PATH ?? '' },
    enter: ['podman', 'exec', '--user', 'me', '--env', 'HOME=/home/me', '--workdir', '/home/me/app', id],
    withinMs: 300_000,
  };
  expect(await runGuide('first-upload.md', await readFile(PAGE, 'utf8'), place)).toBeGreaterThan(8);
  const seconds = (Date.now() - installedAt) / 1000;
  console.log(`Debian’s packages ${(installedAt - began) / 1000} s, the page ${seconds} s`);
  expect(seconds).toBeLessThan(MAX_SECONDS);
});
