/** What a task's record says, put together for those who read it. */
import type { OwnTaskRecord, TaskCode, TaskItem } from '@millpond/client/session';
import type { MarkState } from '../../ui/mark.tsx';
import type { TaskState } from './search.ts';

export function stateOf(code: TaskCode): TaskState {
  return ({ 0: 'done', 1: 'waiting', 2: 'processing', 3: 'failed' } as const)[code];
}

const MARKS: Readonly<Record<TaskState, MarkState>> = {
  done: 'ok',
  waiting: 'wait',
  processing: 'busy',
  failed: 'bad',
};

export function markOf(code: TaskCode): MarkState {
  return MARKS[stateOf(code)];
}

export function isOver({ code }: { readonly code: TaskCode }): boolean {
  return code === 0 || code === 3;
}

/** The item that a reader wants first: the one that failed, or the one that is processed. */
export function firstItem({ items }: Pick<OwnTaskRecord, 'items'>): number {
  const failed = items.findIndex(({ code }) => code === 3);
  const current = items.findIndex(({ code }) => code === 2);
  return failed >= 0 ? failed : Math.max(0, current);
}

/** Why it failed, in the words of whoever refused it; undefined if it did not. */
export function causeOf({ items }: Pick<OwnTaskRecord, 'items'>): string | undefined {
  const failed = items.find(({ code }) => code === 3);
  return failed === undefined ? undefined : plainError(failed);
}

/** Without the words that every error of the interface begins with. */
export function plainError({ error }: Pick<TaskItem, 'error'>): string {
  return error.replace(/^execute fop cmd failed: /, '');
}

/** Equal for failures with the same cause: what names one file or one moment is left out. */
export function causeKey({ items }: Pick<OwnTaskRecord, 'items'>): string | undefined {
  const failed = items.find(({ code }) => code === 3);
  if (failed === undefined) return undefined;
  const stage = failed.cmd.split('|')[Number(failed.errorIndex ?? 0)] ?? failed.cmd;
  const command = stage.split('/')[0] ?? '';
  const words = plainError(failed)
    .replaceAll(/https?:\/\/\S+/g, '')
    .replaceAll(/\d+/g, '#');
  return `${command} ${words}`;
}

/** From its first begin to its end, or to now. */
export function tookMs(
  task: Pick<OwnTaskRecord, 'begun' | 'creationDate' | 'finishDate' | 'code'>,
  now: number,
): number | undefined {
  if (task.code === 1) return undefined;
  const begun = Date.parse(task.begun ?? task.creationDate);
  const ended = task.finishDate === undefined ? now : Date.parse(task.finishDate);
  return Math.max(0, ended - begun);
}

/** The name of a pipeline, without the account before it. */
export function pipelineName(queue: string): string {
  return queue.slice(queue.indexOf('.') + 1);
}

/** Whether a queue is the one of all accounts. */
export function isShared(queue: string): boolean {
  return queue.startsWith('0.');
}

/** `avthumb/mp4` of `avthumb/mp4/s/640x360|saveas/…`: enough to tell commands apart. */
export function briefCommand(cmd: string): string {
  return cmd
    .split('|')
    .filter((stage) => !/^saveas(?:\/|$)/.test(stage))
    .join('|');
}
