/**
 * Private directories for jobs, under `<root>/<owner>/`, where the owner's name tells which process made it: directories of
 * dead processes are removed at start, never those of another live process.
 *
 * What a job left in its directory is hostile: open it with O_NOFOLLOW and check that it is a plain file with one link, and
 * write nothing into the directory once a program has run in it.
 */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { access, chmod, chown, constants, lstat, mkdir, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { errorReason, makeFolder } from '@millpond/base';
import type { SandboxUser } from './command-line.ts';
import { SandboxUnavailableError } from './faults.ts';
import { processTable } from './process-table.ts';

export interface JobDirectories {
  /** The directory of this process; the sandbox's user may pass through it, but not list it. */
  readonly home: string;
  /** A new, empty directory that belongs to the sandbox's user. */
  create(): Promise<string>;
  remove(directory: string): Promise<void>;
  /** Removes all directories of this process. */
  close(): Promise<void>;
}

/** Longer than any job may run: the owner of such a directory cannot be alive, wherever its process was. */
const STALE_MS = 48 * 3600 * 1000;

export async function openJobDirectories(
  root: string,
  user: SandboxUser | undefined,
): Promise<JobDirectories> {
  makeRoot(root);
  await assertOwnRoot(root);
  await removeLeftovers(root);
  const home = path.join(root, `${ownerName(process.pid)}-${randomBytes(4).toString('hex')}`);
  await mkdir(home, { mode: 0o711 });
  // The umask may have removed the permission to pass through.
  await chmod(home, 0o711);
  return {
    home,
    async create() {
      const directory = path.join(home, randomBytes(16).toString('hex'));
      await mkdir(directory, { mode: 0o700 });
      if (user !== undefined) await chown(directory, user.uid, user.gid);
      return directory;
    },
    remove: removeTree,
    close: () => removeTree(home),
  };
}

function makeRoot(root: string): void {
  try {
    makeFolder(root, 0o711);
  } catch (error) {
    throw new SandboxUnavailableError([
      {
        problem: `${root} can’t be made: ${errorReason(error)}`,
        remedy: 'name a folder on a disk in MILLPOND_SANDBOX_ROOT',
      },
    ]);
  }
}

/** Anyone who may write to the root could replace our filter. */
async function assertOwnRoot(root: string): Promise<void> {
  const refuse = (problem: string, remedy: string) => {
    throw new SandboxUnavailableError([{ problem: `${root} ${problem}`, remedy }]);
  };
  const { uid, mode } = await lstat(root);
  if ((mode & 0o022) !== 0)
    refuse(
      'can be changed by other users',
      'use a folder that only the server’s user may write to, or remove it: the server creates it',
    );
  if (uid !== 0 && uid !== process.getuid?.())
    refuse(
      `belongs to another user (${uid})`,
      'if that is the server’s user, run this as that user: runuser -u millpond -- millpond doctor; else name another folder in MILLPOND_SANDBOX_ROOT',
    );
  // A command that root ran before the server’s first start may have made it.
  await access(root, constants.R_OK | constants.W_OK).catch(() =>
    refuse('belongs to root', 'remove it, the server creates it; or give it to the server’s user'),
  );
}

async function removeLeftovers(root: string): Promise<void> {
  for (const name of await readdir(root)) {
    const owner = path.join(root, name);
    if (!(await isLeftover(owner, name))) continue;
    endSandboxesIn(owner);
    await removeTree(owner);
  }
}

/**
 * A sandbox dies with the server that started it, except for one moment: until bubblewrap has set that up, its inner process
 * waits for an outer one that may have been killed with the server. Nothing runs in it yet; it would only wait for ever.
 */
function endSandboxesIn(owner: string): void {
  for (const { pid, command } of processTable.commandLines()) {
    if (!command.includes(`${owner}/`)) continue;
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended, or belongs to another user.
    }
  }
}

async function isLeftover(owner: string, name: string): Promise<boolean> {
  const [, space, pid] = /^(\d+)-(\d+)-\d+-[0-9a-f]{8}$/.exec(name) ?? [];
  if (space === undefined || pid === undefined) return false;
  if (space === processTable.space()) return !name.startsWith(`${ownerName(Number(pid))}-`);
  // From another container, whose processes we cannot see.
  const { mtimeMs } = await stat(owner);
  return Date.now() - mtimeMs > STALE_MS;
}

/** Process namespace, process id and start time: a reused id does not make a leftover look alive. */
function ownerName(pid: number): string {
  return `${processTable.space()}-${pid}-${processTable.startTime(pid) ?? 'gone'}`;
}

const run = promisify(execFile);

async function removeTree(directory: string): Promise<void> {
  try {
    await rm(directory, { recursive: true, force: true });
  } catch {
    // A job may have locked its own folders, or nested them deeper than a path can be long.
    const options = { env: {}, cwd: path.dirname(directory) };
    await run('/bin/chmod', ['-R', 'u+rwX', '--', directory], options).catch(() => undefined);
    await run('/bin/rm', ['-rf', '--', directory], options);
  }
}
