/** What a killed `millpond dev` left running: its PostgreSQL, and its RTMP engine. */

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { answers, type RunFolder } from './folders.ts';

const EXIT_TIMEOUT_MS = 10_000;
const CHECK_INTERVAL_MS = 20;

export async function endOrphans(folder: RunFolder): Promise<void> {
  await endPostgres(folder);
  await endRtmpEngine(folder);
}

/** If it answers at its socket it is alive, and then the PID in its lock file is its own. */
async function endPostgres(folder: RunFolder): Promise<void> {
  const socket = path.join(folder.postgresSockets, '.s.PGSQL.5432');
  if (!(await answers(socket))) return;
  const pid = Number(readFileSync(`${socket}.lock`, 'utf8').split('\n')[0]);
  if (!Number.isInteger(pid) || pid < 2) return;
  process.kill(pid, 'SIGINT');
  await untilGone(() => answers(socket));
}

/** The PID may belong to another process by now, so its command line must name the folder. Its worker ends before it does. */
async function endRtmpEngine({ rtmp }: RunFolder): Promise<void> {
  const pid = Number(textOf(path.join(rtmp, 'nginx.pid')));
  const isOurs = () => textOf(`/proc/${pid}/cmdline`).includes(rtmp);
  if (!Number.isInteger(pid) || pid < 2 || !isOurs()) return;
  process.kill(pid, 'SIGTERM');
  await untilGone(() => Promise.resolve(isOurs()));
}

async function untilGone(isThere: () => Promise<boolean>): Promise<void> {
  for (const end = performance.now() + EXIT_TIMEOUT_MS; performance.now() < end && (await isThere()); )
    await sleep(CHECK_INTERVAL_MS);
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
