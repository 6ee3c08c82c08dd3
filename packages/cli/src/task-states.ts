/** States of tasks, and waiting for one to end. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { OwnTaskRecord } from '@millpond/client/server';

/** By their codes. */
export const TASK_STATES = ['done', 'waiting', 'processing', 'failed'] as const;
export type TaskState = (typeof TASK_STATES)[number];

const LOOK_EVERY_MS = 500;

/** The task when it has ended, successfully or not. Progress goes to standard error, so that the result can be piped. */
export async function endedTask<T extends OwnTaskRecord>(
  look: () => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  let told = '';
  for (;;) {
    const task = await look();
    const now = `${stateOf(task)} ${task.percent} %`;
    if (now !== told) process.stderr.write(`${now}\n`);
    told = now;
    if (task.code === 0 || task.code === 3) return task;
    await sleep(LOOK_EVERY_MS, undefined, signal === undefined ? {} : { signal });
  }
}

export function stateOf({ code }: OwnTaskRecord): TaskState {
  return TASK_STATES[code];
}
