/**
 * Programs of another Debian release beside this machine's own: its packages with all that they need, unpacked into a
 * folder, in which a program runs as if it were the whole machine. Nothing is installed here, and no script of a package
 * runs. apt checks the signatures of the mirror as it always does.
 */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const MIRROR = 'http://deb.debian.org/debian';
const MAX_OUTPUT = 64 * 1024 * 1024;
/** A mirror that does not answer is noticed; a slow one is waited for. */
const MAX_DOWNLOADING_MS = 1_800_000;
/** The package files that a root was made of, one a line. */
const CONTENTS = 'packages.txt';
const CERTIFICATES = 'etc/ssl/certs/ca-certificates.crt';

/** Programs that this machine must have for it, and the packages they are in. */
const NEEDED = { '/usr/bin/apt-get': 'apt', '/usr/bin/dpkg-deb': 'dpkg', '/usr/bin/bwrap': 'bubblewrap' };

/** Makes the folder, in one step: what was interrupted leaves nothing that looks whole. */
export async function makeDebianRoot(
  folder: string,
  release: string,
  packages: readonly string[],
): Promise<void> {
  const missing = Object.entries(NEEDED).filter(([program]) => !existsSync(program));
  if (missing.length > 0)
    throw new Error(`this needs Debian with ${missing.map(([, name]) => name).join(' and ')} installed`);
  const making = `${path.resolve(folder)}.making`;
  await rm(making, { recursive: true, force: true });
  const root = path.join(making, 'root');
  const files = await download(making, release, packages);
  await unpack(files, root);
  const names = files.map((file) => `${path.basename(file)}\n`).sort();
  await writeFile(path.join(root, CONTENTS), names.join(''));
  await gatherCertificates(root);
  await rm(folder, { recursive: true, force: true });
  await rename(root, folder);
  await rm(making, { recursive: true, force: true });
}

/** The beginning of a command line that runs in such a folder. It shares /tmp and the network, and sees no other files. */
export function inDebianRoot(folder: string): string[] {
  return [
    '/usr/bin/bwrap',
    '--die-with-parent',
    '--bind',
    path.resolve(folder),
    '/',
    '--dev',
    '/dev',
    '--proc',
    '/proc',
    '--bind',
    '/tmp',
    '/tmp',
    '--ro-bind-try',
    '/etc/resolv.conf',
    '/etc/resolv.conf',
    '--ro-bind',
    '/etc/hosts',
    '/etc/hosts',
  ];
}

/** The version of a package in such a folder, without Debian's own part; undefined: it is not there. */
export function versionInDebianRoot(folder: string, name: string): string | undefined {
  const list = readFileSync(path.join(folder, CONTENTS), 'utf8');
  const version = list
    .split('\n')
    .find((file) => file.startsWith(`${name}_`))
    ?.split('_')[1];
  // An epoch ends with a colon, which file names write as %3a.
  return version?.replace(/^\d+%3a/, '').replace(/[-+].*$/, '');
}

/** The package files, of these packages and all that they depend on. */
async function download(folder: string, release: string, packages: readonly string[]): Promise<string[]> {
  const archives = path.join(folder, 'cache/archives');
  for (const name of ['lists/partial', 'cache/archives/partial'])
    await mkdir(path.join(folder, name), { recursive: true });
  await writeFile(path.join(folder, 'status'), '');
  await writeFile(path.join(folder, 'sources.list'), `deb ${MIRROR} ${release} main\n`);
  const configuration = path.join(folder, 'apt.conf');
  await writeFile(configuration, aptConfiguration(folder));
  const apt = (...args: string[]) =>
    run('apt-get', ['-qq', ...args], {
      env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', APT_CONFIG: configuration },
      maxBuffer: MAX_OUTPUT,
      timeout: MAX_DOWNLOADING_MS,
    });
  await apt('update');
  await apt('install', '--yes', '--download-only', ...packages);
  return (await readdir(archives))
    .filter((name) => name.endsWith('.deb'))
    .map((name) => path.join(archives, name));
}

/** All that apt would otherwise take from this machine: what is installed, its sources, its preferences. */
function aptConfiguration(folder: string): string {
  const settings = {
    'Dir::State': folder,
    'Dir::State::Lists': path.join(folder, 'lists'),
    'Dir::State::status': path.join(folder, 'status'),
    'Dir::Cache': path.join(folder, 'cache'),
    'Dir::Etc::SourceList': path.join(folder, 'sources.list'),
    'Dir::Etc::SourceParts': '/dev/null',
    'Dir::Etc::Preferences': '/dev/null',
    'Dir::Etc::PreferencesParts': '/dev/null',
    'APT::Install-Recommends': 'false',
    // The folder may be one that only this user can read.
    'APT::Sandbox::User': 'root',
    'Acquire::Languages': 'none',
  };
  return Object.entries(settings)
    .map(([name, value]) => `${name} "${value}";\n`)
    .join('');
}

async function unpack(files: readonly string[], root: string): Promise<void> {
  for (const name of ['bin', 'sbin', 'lib', 'lib64']) {
    await mkdir(path.join(root, 'usr', name), { recursive: true });
    await symlink(`usr/${name}`, path.join(root, name));
  }
  for (const file of files) await run('dpkg-deb', ['-x', file, root], { maxBuffer: MAX_OUTPUT });
}

/** Otherwise a script of the package would do it. */
async function gatherCertificates(root: string): Promise<void> {
  const from = path.join(root, 'usr/share/ca-certificates');
  if (!existsSync(from)) return;
  const names = (await readdir(from, { recursive: true })).filter((name) => name.endsWith('.crt')).sort();
  const texts = await Promise.all(names.map((name) => readFile(path.join(from, name), 'utf8')));
  await mkdir(path.dirname(path.join(root, CERTIFICATES)), { recursive: true });
  await writeFile(path.join(root, CERTIFICATES), texts.join(''));
}
