/** What every feature hands to its process, besides what the layers above call. */
import type { Metric } from '@millpond/base';
import type { Job, QueueDefinition } from './queue/queue.ts';
import type { Route } from './web/index.ts';

export interface Feature {
  readonly routes: readonly Route[];
  readonly jobs: readonly BackgroundJob[];
  readonly metrics: readonly Metric[];
}

export type BackgroundJob = PeriodicJob | QueuedJob;

/** Runs at intervals, in one process of the region at a time. */
export interface PeriodicJob {
  readonly queues?: undefined;
  readonly name: string;
  readonly everySeconds: number;
  /** The log message for runs in which a figure is above 0. */
  readonly says?: string;
  /** Returns what it did, as figures by name; none: not worth a log line. */
  run(signal: AbortSignal): Promise<Readonly<Record<string, number>>>;
}

/** Runs for each job of some queues, with a limited number at a time per process. */
export interface QueuedJob {
  readonly name?: undefined;
  readonly queues: Readonly<Record<string, QueueDefinition>>;
  /** 0: this process only enqueues them, and others run them. */
  readonly slots: number;
  /** The queues for whose jobs this process has what they need; by default all. It may take its time: nothing else waits for it. */
  ready?(): Promise<readonly string[]>;
  run(job: Job): Promise<void>;
}

export const MINUTE_SECONDS = 60;
export const HOUR_SECONDS = 3600;
export const DAY_SECONDS = 86_400;

/** Converts a setting in milliseconds to what a periodic job takes. */
export function everySeconds(milliseconds: number): number {
  return Math.max(1, Math.round(milliseconds / 1000));
}
