// One command at a time changes the engines of a checkout. The kernel holds the lock, so it ends with this process
// however that ends.

import { spawnSync } from 'node:child_process';
import { closeSync, fstatSync, openSync, statSync } from 'node:fs';
import { EngineFault } from './fault.ts';

/** False if there is no folder for it: nothing is up, or another command has just destroyed it. */
export function takeLock(path: string): boolean {
  for (;;) {
    const file = openThere(path);
    if (file === undefined) return false;
    // flock(1) locks the open file that it inherits, which stays ours when it exits.
    const { status } = spawnSync('/usr/bin/flock', ['--wait', '600', '3'], {
      stdio: ['ignore', 'ignore', 'inherit', file],
    });
    if (status !== 0) throw new EngineFault('another engines command is still running');
    // The previous holder may have run `destroy`, and then this is a lock on a deleted file.
    if (statSync(path, { throwIfNoEntry: false })?.ino === fstatSync(file).ino) return true;
    closeSync(file);
  }
}

function openThere(path: string): number | undefined {
  try {
    return openSync(path, 'a', 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
