/** The guide to S3, with the clients that this machine has. */
import { chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createDeployment, type Deployment, startS3Server } from '@millpond/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runGuide } from './run.ts';

const ROOT = path.join(import.meta.dirname, '../..');

let folder: string;
let deployment: Deployment;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'millpond-s3-'));
  deployment = await createDeployment({ store: 'disk' });
});
afterAll(async () => {
  await deployment?.destroy();
  await rm(folder, { recursive: true, force: true });
});

test('s3.md: the lines of each client', async () => {
  const { s3Url } = await startS3Server(deployment);
  const { accessKey, secretKey } = await deployment.createAccount();
  // What a reader has: Node, and the SDK where the program is.
  await mkdir(path.join(folder, 'bin'));
  await writeFile(path.join(folder, 'bin/node'), `#!/bin/sh\nexec '${process.execPath}' "$@"\n`);
  await chmod(path.join(folder, 'bin/node'), 0o755);
  await symlink(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'));
  const commands = await runGuide('s3.md', await readFile(path.join(ROOT, 'docs/s3.md'), 'utf8'), {
    folder,
    environment: {
      PATH: `${path.join(folder, 'bin')}:/usr/bin:/bin`,
      HOME: folder,
      LANG: 'C.UTF-8',
      MILLPOND_ACCESS_KEY: accessKey,
      MILLPOND_SECRET_KEY: secretKey,
    },
    replace: { '127.0.0.1:9000': new URL(s3Url).host },
    withinMs: 500_000,
  });
  expect(commands).toBeGreaterThan(20);
});
