/**
 * The leases of the jobs a worker runs: renewed together every third of the heartbeat. A lease is given up, by aborting the
 * handler's signal, when the database says that another attempt has the job, or when the database could not be asked for so
 * long that this must be assumed.
 */
import type { Log } from '@millpond/base';
import type { Attempt, Attempts } from './attempts.ts';
import type { DefinedQueue } from './definitions.ts';
import { LeaseLostError } from './job-lease.ts';

export interface JobLease {
  readonly attempt: Attempt;
  readonly heartbeatMs: number;
  readonly controller: AbortController;
  /** When the last successful renewal was sent, by the monotonic clock. */
  renewedAt: number;
  isLost: boolean;
  /** Set once the outcome is being written: then a renewal that finds nothing means success, not loss. */
  isSettling: boolean;
}

export function createLeases(attempts: Attempts, leaseSeconds: number, log: Log) {
  const leases = new Set<JobLease>();
  let isRenewing = false;

  const lose = (lease: JobLease) => {
    if (lease.isLost || lease.isSettling) return;
    lease.isLost = true;
    log.warn({ queue: lease.attempt.queue.name, job: lease.attempt.id }, 'job lost to another attempt');
    lease.controller.abort(new LeaseLostError());
  };

  const renew = async (queue: DefinedQueue) => {
    const due = [...leases].filter(
      (lease) => lease.attempt.queue === queue && !lease.isLost && !lease.isSettling,
    );
    const sentAt = performance.now();
    const held = await attempts.renew(due.map((lease) => lease.attempt));
    for (const lease of due) {
      if (held.has(lease.attempt.id)) lease.renewedAt = sentAt;
      else lose(lease);
    }
  };

  const tick = async () => {
    const now = performance.now();
    for (const lease of leases) if (now - lease.renewedAt > lease.heartbeatMs) lose(lease);
    if (isRenewing) return;
    isRenewing = true;
    try {
      for (const queue of new Set([...leases].map((lease) => lease.attempt.queue))) await renew(queue);
    } catch (error) {
      log.warn({ error: (error as Error).message }, 'leases could not be renewed');
    } finally {
      isRenewing = false;
    }
  };
  const timer = setInterval(() => void tick(), leaseSeconds * 300);

  return {
    take(attempt: Attempt, claimedAt: number, heartbeatMs: number): JobLease {
      const controller = new AbortController();
      const lease = {
        attempt,
        heartbeatMs,
        controller,
        renewedAt: claimedAt,
        isLost: false,
        isSettling: false,
      };
      leases.add(lease);
      return lease;
    },
    release(lease: JobLease): void {
      leases.delete(lease);
    },
    held(): JobLease[] {
      return [...leases];
    },
    stop(): void {
      clearInterval(timer);
    },
  };
}
