// Another release of Debian in a folder, for engines other than those of this machine: PostgreSQL, Ceph, nginx and ffmpeg come from its
// packages, and commands run with it as their root. Nothing of it is installed on the machine itself.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { EngineError, UsageError } from '../src/fault.ts';
import { installPackages } from '../src/packages.ts';
import { checkoutHash, checkoutRoot } from '../src/places.ts';
import { say } from '../src/progress.ts';
import { run } from '../src/run.ts';

const releases = ['trixie', 'sid'] as const;
export type Release = (typeof releases)[number];

// What Node and npm need, and the programs of a usual machine that tests call.
const basics = ['ca-certificates', 'curl', 'git', 'libatomic1', 'libstdc++6', 'procps', 'python3'];

export function parseRelease(text: string): Release {
  const found = releases.find((name) => name === text);
  if (!found) throw new UsageError(`--release ${text}: one of ${releases.join(', ')}`);
  return found;
}

// The exit code of the command. A signal that ends it counts as in shells.
export async function runInRelease(release: Release, command: readonly string[]): Promise<number> {
  if (process.getuid?.() !== 0)
    throw new EngineError('--release needs root, for the mounts of another system');
  const tree = await ensureTree(release);
  // One for each checkout, inside the tree: it goes with it.
  const engines = join(tree, 'var/lib/millpond-engines', checkoutHash());
  mkdirSync(engines, { recursive: true, mode: 0o711 });
  const script = join(import.meta.dirname, 'enter.sh');
  const child = spawn('unshare', ['--mount', 'sh', script, tree, checkoutRoot, engines, ...command], {
    stdio: 'inherit',
    env: { ...process.env, PATH: pathInside() },
  });
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  return code ?? 128 + constants.signals[signal ?? 'SIGKILL'];
}

// The machine's own folders of programs are not there, the checkout's are.
function pathInside(): string {
  const system = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin'];
  return [dirname(process.execPath), join(checkoutRoot, 'node_modules/.bin'), ...system].join(':');
}

async function ensureTree(release: Release): Promise<string> {
  // Only root may write there: what is in it is run as root.
  const tree = `/var/lib/millpond-debian-${release}`;
  if (existsSync(tree)) return tree;
  await installPackages(['debootstrap', 'debian-archive-keyring']);
  say(`${release}: making ${tree}`);
  const unfinished = `${tree}.${process.pid}`;
  try {
    const mirror = process.env.MILLPOND_DEBIAN_MIRROR ?? 'http://deb.debian.org/debian';
    const options = ['--force-check-gpg', '--variant=minbase', `--include=${basics.join(',')}`];
    await run('debootstrap', [...options, release, unfinished, mirror], { env: process.env });
    // The mirror may be a snapshot of some day; the packages' signatures are checked all the same.
    writeFileSync(
      join(unfinished, 'etc/apt/apt.conf.d/99-snapshot'),
      'Acquire::Check-Valid-Until "false";\n',
    );
    renameSync(unfinished, tree);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
  return tree;
}
