/** What every feature hands to the process that it is part of, beside what the floors above call. */
import type { Metric } from './metrics.ts';
import type { Job, QueueDefinition } from './queue/queue.ts';
import type { Route } from './web/index.ts';

export interface Feature {
  readonly routes: readonly Route[];
  readonly jobs: readonly BackgroundJob[];
  readonly metrics: readonly Metric[];
}

export type BackgroundJob = PeriodicJob | QueuedJob;

/** Done every so often, by one process of the region at a time. */
export interface PeriodicJob {
  readonly queues?: undefined;
  readonly name: string;
  readonly everySeconds: number;
  /** For the log, when a figure of the run is more than 0. */
  readonly says?: string;
  /** Returns what it did, as figures by name; none: it is not worth a line. */
  run(signal: AbortSignal): Promise<Readonly<Record<string, number>>>;
}

/** Done for each job of some queues, so many at a time in a process. */
export interface QueuedJob {
  readonly name?: undefined;
  readonly queues: Readonly<Record<string, QueueDefinition>>;
  /** 0: this process enqueues them, and others run them. */
  readonly slots: number;
  /** Whether this process has what they need. It may take its time: nothing else waits for it. */
  isReady?(): Promise<boolean>;
  run(job: Job): Promise<void>;
}

export const HOUR_SECONDS = 3600;
export const DAY_SECONDS = 86_400;

/** A setting in milliseconds, as a periodic job takes it. */
export function everySeconds(milliseconds: number): number {
  return Math.max(1, Math.round(milliseconds / 1000));
}
