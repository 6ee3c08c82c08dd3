// @module-tag ceph
/** The guide to Ceph, run on the real one. */
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { cephConfiguration } from '@millpond/engines';
import { COMMAND, createDeployment, type Deployment, freePort } from '@millpond/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CephGuide, cephGuide } from './ceph.ts';
import { runGuide } from './run.ts';

const PAGE = path.join(import.meta.dirname, '../../docs/ceph.md');

let folder: string;
let deployment: Deployment;
let guide: CephGuide;
let isRemoved = false;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'millpond-ceph-'));
  guide = cephGuide(cephConfiguration(), folder, await freePort());
  deployment = await createDeployment({ store: 's3' });
});
afterAll(async () => {
  if (!isRemoved) await guide?.remove();
  await deployment?.destroy();
  await rm(folder, { recursive: true, force: true });
});

test('ceph.md, from nothing to a user and a storage class that doctor finds good; and nothing of it stays', async () => {
  for (const name of ['bin', 'etc']) await mkdir(path.join(folder, name));
  const command = path.join(folder, 'bin/millpond');
  await writeFile(command, `#!/bin/sh\nexec '${process.execPath}' '${COMMAND}' "$@"\n`);
  await chmod(command, 0o755);
  // What an operator has already: databases, keys, and no engine.
  const others = Object.entries(deployment.environment).filter(
    ([name]) => name.startsWith('MILLPOND_') && !/_S3_(?:ENDPOINT|ACCESS_KEY|SECRET_KEY)$/.test(name),
  );
  const settings = [...others, ['MILLPOND_S3_COLD_CLASS', guide.storageClass]];
  await writeFile(
    path.join(folder, 'etc/millpond.env'),
    settings.map(([name, value]) => `${name}="${value}"\n`).join(''),
  );
  const commands = await runGuide('ceph.md', await readFile(PAGE, 'utf8'), {
    folder,
    environment: { ...guide.environment, PATH: `${path.join(folder, 'bin')}:${process.env.PATH}` },
    replace: { ...guide.replace, '/etc/millpond/': `${folder}/etc/` },
    instead: guide.instead,
    withinMs: 250_000,
  });
  expect(commands).toBeGreaterThan(10);
  expect(await guide.leftovers()).not.toEqual([]);
  await guide.remove();
  isRemoved = true;
  expect(await guide.leftovers()).toEqual([]);
});
