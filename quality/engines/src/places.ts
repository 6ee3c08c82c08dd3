// Where the engines' files are: `.engines/` in the checkout. Two things can forbid that folder for the data: Ceph's
// unix sockets (a path of at most 107 bytes), and a checkout that PostgreSQL's own user may not enter, such as one
// below /root. Then the data goes to a short folder under /var/tmp, named after the checkout.

import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { EngineError } from './fault.ts';

export type Places = {
  home: string;
  data: string;
  postgres: string;
  ceph: string;
  rtmp: string;
  tls: string;
  environmentFile: string;
  lockFile: string;
  // Why the data is not in `home`, if it isn't.
  elsewhere?: string;
};

// The longest socket path below the Ceph folder is run/client.rgw.main.asok, and some tools append to it.
const maxCephFolderLength = 75;

export const checkoutRoot = join(import.meta.dirname, '../../..');

export function findPlaces(root: string = checkoutRoot): Places {
  const home = join(root, '.engines');
  const reason = whyNot(home);
  const data = reason === undefined ? home : join('/var/tmp', `millpond-${checkoutHash(root)}`);
  return {
    home,
    data,
    postgres: join(data, 'pg'),
    ceph: join(data, 'ceph'),
    rtmp: join(data, 'rtmp'),
    tls: join(home, 'tls'),
    environmentFile: join(home, 'millpond.env'),
    lockFile: join(home, 'lock'),
    ...(reason !== undefined && { elsewhere: reason }),
  };
}

// PostgreSQL's user may pass through the folders themselves; their contents are closed to everybody else.
export function makePlaces(places: Places): void {
  for (const folder of [places.home, places.data]) {
    mkdirSync(folder, { recursive: true, mode: 0o711 });
    // Under /var/tmp somebody else could have made the folder first, to read or replace what we put there.
    const found = lstatSync(folder);
    if (!found.isDirectory() || found.uid !== process.getuid?.()) {
      throw new EngineError(`${folder} belongs to another user`);
    }
  }
}

function whyNot(home: string): string | undefined {
  if (Buffer.byteLength(join(home, 'ceph')) > maxCephFolderLength)
    return "the checkout's path is too long for Ceph's sockets";
  if (process.getuid?.() !== 0) return undefined;
  for (let folder = dirname(home); folder !== '/'; folder = dirname(folder)) {
    if ((statSync(folder).mode & 0o001) === 0) return `PostgreSQL's user cannot enter ${folder}`;
  }
  return undefined;
}

// Names a checkout in a path that has to be short.
export function checkoutHash(root: string = checkoutRoot): string {
  return createHash('sha256').update(root).digest('hex').slice(0, 12);
}
