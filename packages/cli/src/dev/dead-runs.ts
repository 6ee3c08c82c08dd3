/** What killed runs of `millpond dev` left behind: their folders, and the processes they had started. */

import { existsSync, rmSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { answers, type RunFolder, runFolders } from './folders.ts';
import { endOrphans } from './orphans.ts';

const YOUNG_MS = 10_000;
const LISTEN_TIMEOUT_MS = 200;

export async function sweepDeadRuns(): Promise<void> {
  for (const folder of runFolders()) {
    try {
      if (isYoung(folder) || (await answersAtLast(folder.socket))) continue;
      await endOrphans(folder);
      rmSync(folder.root, { recursive: true, force: true });
    } catch (error) {
      // Another start, or the process's own end, was faster.
      if (!['ENOENT', 'ENOTEMPTY', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? ''))
        throw error;
    }
  }
}

/** A socket exists a moment before its run listens on it. */
async function answersAtLast(socket: string): Promise<boolean> {
  if (await answers(socket)) return true;
  await sleep(LISTEN_TIMEOUT_MS);
  return answers(socket);
}

/** A folder that is just being made has no socket yet. */
function isYoung({ root, socket }: RunFolder): boolean {
  return !existsSync(socket) && Date.now() - statSync(root).mtimeMs < YOUNG_MS;
}
