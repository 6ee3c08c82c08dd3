/**
 * `npm run pack [-- --out FOLDER]`: the tarballs that would be published, by default in dist/, replacing those of an
 * earlier run.
 */
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { type KnownFiles, knownFiles, unknownFiles } from './known-files.ts';
import { PACKED, stagePackages } from './stage.ts';

/** What an earlier run left in the folder. */
const EARLIER = /^millpond(?:-[a-z]+)?-\d+\.\d+\.\d+[^/]*\.tgz$/;
const root = path.join(import.meta.dirname, '../..');
const { values } = parseArgs({ options: { out: { type: 'string', default: path.join(root, 'dist') } } });
const out = path.resolve(values.out);

const known = knownFilesOrEnd();
const forgotten = unknownFiles(root, PACKED);
if (forgotten.length > 0)
  process.stderr.write(`not packed, because git does not track them: ${forgotten.join(', ')}\n`);

const staging = await mkdtemp(path.join(tmpdir(), 'millpond-pack-'));
try {
  const folders = await stagePackages(known, staging);
  await mkdir(out, { recursive: true });
  // `npm install dist/*.tgz` would find two versions of a package.
  for (const name of await readdir(out)) if (EARLIER.test(name)) await rm(path.join(out, name));
  const names = execFileSync('npm', ['pack', '--silent', '--pack-destination', out, ...folders], {
    encoding: 'utf8',
    cwd: staging,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for (const name of names.trim().split('\n')) process.stdout.write(`${path.join(out, name)}\n`);
} finally {
  await rm(staging, { recursive: true, force: true });
}

function knownFilesOrEnd(): KnownFiles {
  try {
    return knownFiles(root);
  } catch (error) {
    process.stderr.write(`pack: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  }
}
