/**
 * `npm run release`: packages, chart, images, lists of what they consist of, notes and checksums in one folder, the same bytes from the same
 * commit. It publishes nothing: it prints the commands by which that is done.
 *
 *   npm run release -- --registry HOST/PATH  of a clean checkout whose changelog has the version with its date
 *   npm run release -- --dry-run             of any checkout, and says what a release would refuse about it
 *   npm run release -- --dry-run --twice     two of them, the second by another user's settings: says which files differ
 *   npm run release -- --dry-run --images debootstrap    images on bases of Debian's packages (default: registry; none leaves them out)
 *   npm run release -- --set-version 0.2.0   writes the version everywhere, and does nothing else
 */
import { execFileSync } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Lock } from './bom.ts';
import { checksumFile, differences } from './checksums.ts';
import { makeRelease, type ReleasePlan } from './folder.ts';
import { assertPrograms, saveImages } from './images.ts';
import { notesOf } from './notes.ts';
import { type ReleaseOptions, readOptions, USAGE, UsageError } from './options.ts';
import { publishing } from './publishing.ts';
import { assertNotReleased, refusals } from './readiness.ts';
import { readVersion, setVersion, versionsIn } from './version.ts';

const ROOT = path.join(import.meta.dirname, '../..');
const say = (line: string) => process.stderr.write(`${line}\n`);

async function release(options: ReleaseOptions): Promise<void> {
  const { isDryRun, isTwice, images, out, registry } = options;
  const version = await readVersion(ROOT);
  await assertSameVersions(version);
  const changelog = await readFile(path.join(ROOT, 'CHANGELOG.md'), 'utf8');
  assertNotReleased(changelog, version);
  const changed = git('status', '--porcelain');
  const refused = refusals({
    version,
    changelog,
    changed,
    ...(await nodes()),
    hasTag: git('tag', '--list', `v${version}`) !== '',
  });
  if (!isDryRun && refused.length > 0) throw new Error(refused.join('\n'));
  for (const each of refused) say(`a release would refuse: ${each}`);
  if (images !== 'none') await assertPrograms(images);

  const commit = git('rev-parse', 'HEAD');
  const epoch = Number(git('log', '-1', '--format=%ct'));
  const plan: ReleasePlan = {
    root: ROOT,
    version,
    epoch,
    registry,
    say,
    notes: notesOf(changelog, version, { commit, isChanged: changed !== '' }),
    makePackages: async (folder) => pack(folder),
    makeImages: images === 'none' ? undefined : (folder) => saveImages({ base: images, folder, epoch, say }),
  };
  const name = `millpond-${version}${isDryRun ? '-dry-run' : ''}`;
  const folder = path.resolve(out ?? path.join(ROOT, '.build/release'), name);
  const sums = await makeRelease(plan, folder);
  if (isTwice) await assertReleasable(plan, folder);
  process.stdout.write(`${folder}\n${checksumFile(sums)}`);
  say(isDryRun ? 'A release would be published by:' : 'To publish it:');
  const files = [...sums.keys()];
  for (const line of publishing({ root: ROOT, commit, folder, version, files, registry })) say(`  ${line}`);
}

async function assertSameVersions(version: string): Promise<void> {
  const other = [...(await versionsIn(ROOT))].filter(
    ([, found]) => found.length === 0 || found.some((each) => each !== version),
  );
  if (other.length > 0)
    throw new Error(
      `not ${version}: ${other.map(([file]) => file).join(', ')}; npm run release -- --set-version ${version}`,
    );
}

async function nodes(): Promise<{ node: string; pinnedNode: string }> {
  const lock = JSON.parse(await readFile(path.join(ROOT, 'package-lock.json'), 'utf8')) as Lock;
  return { node: process.versions.node, pinnedNode: lock.packages['node_modules/node']?.version ?? '' };
}

function pack(folder: string): void {
  execFileSync(process.execPath, [...process.execArgv, 'scripts/pack/main.ts', '--out', folder], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

/** Once more, as somebody else would on the other side of the world. */
async function assertReleasable(plan: ReleasePlan, folder: string): Promise<void> {
  say('once more');
  const again = `${folder}-again`;
  Object.assign(process.env, { TZ: 'Pacific/Chatham', LANG: 'tr_TR.UTF-8', LC_ALL: 'C' });
  process.umask(0o077);
  await makeRelease(plan, again);
  const others = await differences(folder, again);
  if (others.length > 0)
    throw new Error(`not the same bytes in ${folder} and ${again}: ${others.join(', ')}`);
  await rm(again, { recursive: true });
  say('both times the same bytes');
}

function git(...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();
}

async function main(): Promise<number> {
  try {
    const options = readOptions(process.argv.slice(2));
    if ('setVersion' in options) await setVersion(ROOT, options.setVersion);
    else await release(options);
    return 0;
  } catch (error) {
    if (error instanceof UsageError) say(`${error.message}\n${USAGE}`);
    else say(`release: ${(error as Error).message}`);
    return error instanceof UsageError ? 2 : 1;
  }
}

process.exitCode = await main();
