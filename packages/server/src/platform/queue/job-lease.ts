/** How long a job is a worker's, and the reasons for which it no longer is. */

/** How long a silent worker keeps a job, a task among them, before another worker may take it. */
export const JOB_LEASE_SECONDS = 10;

/** The reason of the signal, and what `commit` throws, when this attempt no longer holds the job. */
export class LeaseLostError extends Error {
  constructor() {
    super('the job has passed to another attempt');
    this.name = 'LeaseLostError';
  }
}

/** The reason of the signal when the worker stops and the job goes back to the queue. */
export class WorkerStoppingError extends Error {
  constructor() {
    super('the worker is stopping');
    this.name = 'WorkerStoppingError';
  }
}
