/** Keeps a run's lease while it works, reports its progress, and stops it when it may not go on. */
import type { Run, TaskStore } from '../tasks/task.store.ts';
import type { ItemTimes } from './item-times.ts';

/** Often enough for a viewer to see progress; a task costs seconds of CPU, this a row. */
const BEAT_MS = 1_000;

export class RunLostError extends Error {
  constructor() {
    super('another run has the task');
  }
}

export class RunCancelledError extends Error {
  constructor() {
    super('cancelled');
  }
}

export interface Heartbeat {
  /** Aborted when the run is lost or cancelled, or the worker stops. */
  readonly signal: AbortSignal;
  /** 0 to 100, of the whole task. */
  progress(percent: number): void;
  /** The item that is under way. */
  doing(position: number, times: ItemTimes): void;
  stop(): void;
}

export function startHeartbeat(store: TaskStore, run: Run, stopping: AbortSignal): Heartbeat {
  const ended = new AbortController();
  let percent = 0;
  let item: { readonly position: number; readonly times: ItemTimes } | undefined;
  let isBusy = false;
  const beat = async () => {
    if (isBusy) return;
    isBusy = true;
    try {
      const doing = item && { position: item.position, stages: item.times.stages() };
      const state = await store.renew(run, percent, doing);
      if (state === 'lost') ended.abort(new RunLostError());
      if (state === 'cancelled') ended.abort(new RunCancelledError());
    } catch {
      // The database is away: the next write will show whether the run is lost.
    } finally {
      isBusy = false;
    }
  };
  const timer = setInterval(() => void beat(), BEAT_MS);
  return {
    signal: AbortSignal.any([stopping, ended.signal]),
    progress(value) {
      percent = Math.min(99, Math.max(percent, value));
    },
    doing(position, times) {
      item = { position, times };
    },
    stop: () => clearInterval(timer),
  };
}
