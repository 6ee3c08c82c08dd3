/**
 * `npm run pack [-- --out FOLDER]`: the tarballs that would be published, by default in dist/, replacing those of an
 * earlier run.
 */
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { type KnownFiles, knownFiles, unknownFiles } from './known-files.ts';
import type { SourcePackage } from './package-json.ts';
import { PACKED, stagePackages } from './stage.ts';
import { filesOf, writeTarGz } from './tar.ts';

/** Time of every file in a package, as npm sets it: 26 October 1985. */
const EPOCH = 499_162_500;
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
  for (const folder of folders) process.stdout.write(`${await pack(folder)}\n`);
} finally {
  await rm(staging, { recursive: true, force: true });
}

/** Not by npm: which one a machine has, and with which modes its files lie there, must not show in the bytes. */
async function pack(folder: string): Promise<string> {
  const {
    name,
    version,
    bin = {},
  } = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8')) as SourcePackage;
  const programs = new Set(Object.values(bin).map((file) => path.posix.join('package', file)));
  const files = await filesOf(folder, 'package');
  const tarball = path.join(out, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`);
  await writeTarGz(
    files.map((file) => ({ ...file, isProgram: programs.has(file.name) })),
    tarball,
    EPOCH,
  );
  return tarball;
}

function knownFilesOrEnd(): KnownFiles {
  try {
    return knownFiles(root);
  } catch (error) {
    process.stderr.write(`pack: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  }
}
