/**
 * `npm run release`: packages, chart, images, lists of what they consist of, notes and checksums in one folder, the same bytes (of images: layers)
 * from the same commit. It publishes nothing: it says with which commands that is done.
 *
 *   npm run release -- --dry-run             of any checkout, with what is under [Unreleased]
 *   npm run release -- --dry-run --images debootstrap    images on bases of Debian's packages (default: registry; none leaves them out)
 *   npm run release -- --set-version 0.2.0   writes the version everywhere, and does nothing else
 *   npm run release                          of a clean checkout whose changelog has the version with its date
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { bomOf, type Lock } from './bom.ts';
import { packChart } from './chart.ts';
import { saveImages } from './images.ts';
import { notesOf } from './notes.ts';
import { readVersion, setVersion, versionsIn } from './version.ts';

const ROOT = path.join(import.meta.dirname, '../..');
const USAGE =
  'npm run release -- [--dry-run] [--images registry|debootstrap|none] [--out FOLDER], or --set-version VERSION';
const say = (line: string) => process.stderr.write(`${line}\n`);

function readOptions() {
  const { values } = parseArgs({
    options: {
      'dry-run': { type: 'boolean', default: false },
      images: { type: 'string', default: 'registry' },
      out: { type: 'string' },
      'set-version': { type: 'string' },
    },
  });
  if (!['registry', 'debootstrap', 'none'].includes(values.images))
    throw new Error(`--images ${values.images}: it is registry, debootstrap or none`);
  return values;
}

async function release({ 'dry-run': isDryRun, images, out }: ReturnType<typeof readOptions>): Promise<void> {
  const version = await readVersion(ROOT);
  await refuseOtherVersions(version);
  if (!isDryRun) refuseUnready(version);
  const notes = notesOf(await readFile(path.join(ROOT, 'CHANGELOG.md'), 'utf8'), version, isDryRun);
  const folder = path.resolve(out ?? path.join(ROOT, '.build/release'), `millpond-${version}`);
  await rm(folder, { recursive: true, force: true });
  const at = async (...names: readonly string[]) => {
    const file = path.join(folder, ...names);
    await mkdir(path.dirname(file), { recursive: true });
    return file;
  };
  const epoch = Number(git('log', '-1', '--format=%ct'));

  await writeFile(await at('NOTES.md'), notes);
  say('packages');
  const packages = path.dirname(await at('packages/any'));
  execFileSync(process.execPath, ['scripts/pack/main.ts', '--out', packages], { cwd: ROOT, stdio: 'pipe' });
  const lock = JSON.parse(await readFile(path.join(ROOT, 'package-lock.json'), 'utf8')) as Lock;
  await writeFile(await at('packages/sbom.cdx.json'), `${JSON.stringify(bomOf(lock, version), null, 1)}\n`);
  say('chart');
  await packChart(ROOT, await at(`chart/millpond-${version}.tgz`), epoch);
  if (images !== 'none')
    await saveImages({ base: images, folder: path.dirname(await at('images/any')), epoch, say });

  const sums = await checksums(folder);
  await writeFile(path.join(folder, 'SHA256SUMS'), sums);
  process.stdout.write(`${folder}\n${sums}`);
  if (!isDryRun) say(publishing(version));
}

async function refuseOtherVersions(version: string): Promise<void> {
  const other = [...(await versionsIn(ROOT))].filter(
    ([, found]) => found.length === 0 || found.some((each) => each !== version),
  );
  if (other.length > 0)
    throw new Error(
      `not ${version}: ${other.map(([file]) => file).join(', ')}; npm run release -- --set-version ${version}`,
    );
}

function refuseUnready(version: string): void {
  const changed = git('status', '--porcelain');
  if (changed !== '') throw new Error(`not committed:\n${changed}`);
  if (git('tag', '--list', `v${version}`) !== '') throw new Error(`v${version} is a tag already`);
}

/** Of every file, sorted by name, as `sha256sum --check` takes them. */
async function checksums(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .toSorted();
  const lines: string[] = [];
  for (const file of files) {
    const hash = createHash('sha256');
    await pipeline(createReadStream(path.join(folder, file)), hash);
    lines.push(`${hash.digest('hex')}  ${file}\n`);
  }
  return lines.join('');
}

function publishing(version: string): string {
  return [
    'To publish it, in this folder:',
    `  git tag -s v${version} && git push origin v${version}`,
    '  for package in protocol client server; do npm publish packages/millpond-$package-*.tgz; done; npm publish packages/millpond-[0-9]*.tgz',
    '  for image in images/*.tar; do podman load --input $image; done; podman push each to its registry',
    `  helm push chart/millpond-${version}.tgz oci://…`,
  ].join('\n');
}

function git(...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();
}

async function main(): Promise<number> {
  let options: ReturnType<typeof readOptions>;
  try {
    options = readOptions();
  } catch (error) {
    say(`${(error as Error).message}\n${USAGE}`);
    return 2;
  }
  try {
    if (options['set-version'] === undefined) await release(options);
    else await setVersion(ROOT, options['set-version']);
    return 0;
  } catch (error) {
    say(`release: ${(error as Error).message}`);
    return 1;
  }
}

process.exitCode = await main();
