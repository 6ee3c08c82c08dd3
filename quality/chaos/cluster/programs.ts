/** What a cluster is made of. It comes from Debian's packages, which a run names but does not install: they start services. */
import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { UsageError } from '../options.ts';

const PACKAGES: Readonly<Record<string, string>> = {
  patroni: 'patroni python3-etcd',
  etcd: 'etcd-server',
  haproxy: 'haproxy',
  ip: 'iproute2',
  setpriv: 'util-linux',
};

/** `patroni`: the command that starts it, if not Debian's. */
export function requirePrograms(patroni: string): void {
  if (process.getuid?.() !== 0)
    throw new UsageError('the run failover must be root: PostgreSQL runs as the user postgres');
  const wanted = Object.keys(PACKAGES).filter((name) => name !== 'patroni' || patroni === 'patroni');
  const missing = wanted.filter((name) => !isInstalled(name)).map((name) => PACKAGES[name]);
  if (missing.length > 0)
    throw new UsageError(
      `programs are missing: apt-get install --no-install-recommends ${missing.join(' ')}; where there is systemd, then systemctl disable --now patroni etcd haproxy`,
    );
}

function isInstalled(program: string): boolean {
  const folders = [...(process.env.PATH ?? '').split(':'), '/usr/sbin', '/usr/bin'];
  return folders.some((folder) => {
    try {
      accessSync(path.join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
