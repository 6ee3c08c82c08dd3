// One command at a time changes the engines of a checkout. The kernel holds the lock, so it ends with this process
// however that ends. SQLite takes it, because Node itself can't lock a file, and not every system has flock(1).

import { closeSync, openSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { EngineError } from './fault.ts';

const waitMs = 600_000;
const sqliteBusy = 5;
// A database that is forgotten would be closed, and its lock with it.
const held: DatabaseSync[] = [];

/** False if there is no folder for it: nothing is up, or another command has just destroyed it. */
export function takeLock(path: string): boolean {
  for (;;) {
    const inode = makeFile(path);
    if (inode === undefined) return false;
    const file = lockFile(path);
    // The previous holder may have run `destroy`, and then this is a lock on a deleted file.
    if (file !== undefined && inodeOf(path) === inode) {
      held.push(file);
      return true;
    }
    file?.close();
  }
}

function lockFile(path: string): DatabaseSync | undefined {
  let file: DatabaseSync | undefined;
  try {
    file = new DatabaseSync(path, { timeout: waitMs });
    file.exec('BEGIN EXCLUSIVE');
    return file;
  } catch (error) {
    file?.close();
    if (inodeOf(path) === undefined) return undefined;
    if ((error as { errcode?: number }).errcode === sqliteBusy)
      throw new EngineError('another engines command is still running');
    throw error;
  }
}

function makeFile(path: string): number | undefined {
  try {
    closeSync(openSync(path, 'a', 0o600));
    return inodeOf(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function inodeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino;
}
