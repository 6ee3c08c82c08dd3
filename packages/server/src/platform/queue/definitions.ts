import { JOB_LEASE_SECONDS } from './job-lease.ts';

/**
 * What a queue is: its class and how its jobs are retried. Every process has its own definitions, and applies them to the jobs
 * that it runs.
 */
export interface QueueDefinition {
  /** Jobs of an idle queue are taken only when no normal queue of the worker has a job ready. */
  readonly kind: 'normal' | 'idle';
  /** Retries after the first attempt, at growing intervals; then the job has failed. Default 5. */
  readonly retryLimit?: number;
  /** Wait before the first retry, doubled for each further one. Default 1. */
  readonly retryDelaySeconds?: number;
  /** The longest wait between retries. Default one hour. */
  readonly retryDelayMaxSeconds?: number;
  /** The lease of a job: how long a silent worker keeps it. Default: JOB_LEASE_SECONDS; renewed in less than a third of it. */
  readonly leaseSeconds?: number;
  /** A worker with free slots notices a new job after at most about this time. Default 1000. */
  readonly maxPollMs?: number;
}

export interface DefinedQueue extends Required<QueueDefinition> {
  readonly name: string;
}

const NAME = /^[a-z][a-z0-9-]{0,47}$/;

export function definedQueue(name: string, definition: QueueDefinition): DefinedQueue {
  if (!NAME.test(name)) throw new Error(`not a queue name: ${name}`);
  return {
    name,
    retryLimit: 5,
    retryDelaySeconds: 1,
    retryDelayMaxSeconds: 3600,
    leaseSeconds: JOB_LEASE_SECONDS,
    maxPollMs: 1000,
    ...definition,
  };
}
