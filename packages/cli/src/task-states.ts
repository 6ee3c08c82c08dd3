/** States of tasks, and waiting for one to end. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { OwnTaskRecord } from '@millpond/client/server';
import { escapeForTerminal } from './remote/text.ts';
import { type WaitOptions, withinTimeout } from './remote/waiting.ts';

/** By their codes. */
export const TASK_STATES = ['done', 'waiting', 'processing', 'failed'] as const;
export type TaskState = (typeof TASK_STATES)[number];

const CHECK_INTERVAL_MS = 500;

/** The task when it has ended, successfully or not. Progress goes to standard error, so that the result can be piped. */
export async function waitForTask<T extends OwnTaskRecord>(
  id: string,
  look: () => Promise<T>,
  options: WaitOptions,
  signal?: AbortSignal,
): Promise<T> {
  let told = '';
  const untilEnded = async (either: AbortSignal): Promise<T> => {
    for (;;) {
      const task = await look();
      const now = progressText(task);
      if (now !== told) process.stderr.write(`${now}\n`);
      told = now;
      if (task.code === 0 || task.code === 3) return task;
      await sleep(CHECK_INTERVAL_MS, undefined, { signal: either });
    }
  };
  return withinTimeout(
    options,
    signal,
    untilEnded,
    () => `${told}; \`millpond task show ${id} --wait\` waits on`,
  );
}

function progressText(task: OwnTaskRecord): string {
  const { percent, waitingFor } = task;
  return waitingFor === undefined
    ? `${stateOf(task)} ${percent} %`
    : `${stateOf(task)} for ${escapeForTerminal(waitingFor.text)}`;
}

export function stateOf({ code }: OwnTaskRecord): TaskState {
  return TASK_STATES[code];
}
