/**
 * A Debian 13 as its installer leaves it, with an SSH server and Node: what a machine of the guide begins with. Made once, in a folder that is
 * root's alone.
 */
import { execFile } from 'node:child_process';
import {
  access,
  appendFile,
  chmod,
  copyFile,
  cp,
  mkdir,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export const BASE = '/var/lib/millpond-debian-trixie-machine';
const AUTHORITIES = '/etc/ssl/certs/ca-certificates.crt';
/** Where the network of the machines answers for names. */
const NAMES = '10.0.2.3';
const PACKAGES = [
  'systemd-sysv',
  'dbus',
  'openssh-server',
  'iproute2',
  'iputils-ping',
  'procps',
  'kmod',
  'ca-certificates',
  // The packaged Node needs these two.
  'libatomic1',
  'libstdc++6',
];

export async function ensureBase(): Promise<void> {
  if (await access(BASE).then(...asFound)) return;
  const unfinished = `${BASE}.${process.pid}`;
  try {
    await run(
      'debootstrap',
      [
        '--force-check-gpg',
        '--variant=minbase',
        `--include=${PACKAGES.join(',')}`,
        'trixie',
        unfinished,
        process.env.MILLPOND_DEBIAN_MIRROR ?? 'http://deb.debian.org/debian',
      ],
      { maxBuffer: 2 ** 26 },
    );
    await complete((...names) => path.join(unfinished, ...names));
    await rename(unfinished, BASE);
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

const asFound = [() => true, () => false] as const;

async function complete(inside: (...names: readonly string[]) => string): Promise<void> {
  await writeFile(inside('etc/resolv.conf'), `nameserver ${NAMES}\n`);
  await writeFile(
    inside('etc/apt/apt.conf.d/99-base'),
    'Acquire::Check-Valid-Until "false";\nDPkg::Options { "--force-unsafe-io"; };\n',
  );
  await copyFile(AUTHORITIES, inside(AUTHORITIES));
  await appendFile(inside('etc/environment'), `NODE_EXTRA_CA_CERTS=${AUTHORITIES}\n`);
  await installNode(inside);
  // An operator's machines trust her key. This one is known to nobody but the machines.
  await mkdir(inside('root/.ssh'), { recursive: true, mode: 0o700 });
  await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', inside('root/.ssh/id_ed25519')]);
  await copyFile(inside('root/.ssh/id_ed25519.pub'), inside('root/.ssh/authorized_keys'));
  await writeFile(inside('root/.ssh/config'), 'StrictHostKeyChecking accept-new\nLogLevel ERROR\n');
  await chmod(inside('root/.ssh/config'), 0o600);
}

/** As its archive puts it into /usr/local. */
async function installNode(inside: (...names: readonly string[]) => string): Promise<void> {
  await copyFile(process.execPath, inside('usr/local/bin/node'));
  const { stdout } = await run('sh', ['-c', 'dirname "$(dirname "$(readlink -f "$(command -v npm)")")"']);
  await cp(stdout.trim(), inside('usr/local/lib/node_modules/npm'), { recursive: true });
  for (const name of ['npm', 'npx'])
    await symlink(`../lib/node_modules/npm/bin/${name}-cli.js`, inside('usr/local/bin', name));
}
