/** The user that PostgreSQL runs as: it refuses to run as root. Anyone but root runs it as themselves. */
import { chownSync, statSync } from 'node:fs';
import path from 'node:path';
import { makeFolder } from '@millpond/server/folders';
import { UsageError } from '../exit.ts';

export interface SystemUser {
  readonly uid: number;
  readonly gid: number;
}

const NOBODY: SystemUser = { uid: 65_534, gid: 65_534 };

export function databaseUser(): SystemUser | undefined {
  return process.getuid?.() === 0 ? NOBODY : undefined;
}

/** A folder that only PostgreSQL's user can enter. */
export function makeDatabaseFolder(folder: string): void {
  makeFolder(folder, 0o700);
  const user = databaseUser();
  if (user !== undefined) chownSync(folder, user.uid, user.gid);
}

/** Every folder on the way must be passable for others. */
export function assertReachable(folder: string): void {
  if (databaseUser() === undefined) return;
  for (let at = path.resolve(folder); at !== path.dirname(at); at = path.dirname(at)) {
    if ((statSync(at).mode & 0o001) === 0)
      throw new UsageError(
        `${at} is not accessible to other users, and PostgreSQL does not run as root: give --data an accessible folder, ` +
          'such as /var/lib/millpond-dev, or start as another user',
      );
  }
}
