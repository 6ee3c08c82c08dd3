/**
 * Writes outcomes. Completions that arrive during one write go together in the next. While the database is down, an outcome is
 * retried as long as the lease could still be ours; after that the job runs again.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '@millpond/base';
import type { Attempts } from './attempts.ts';
import type { DefinedQueue } from './definitions.ts';
import type { JobLease } from './lease-renewal.ts';

const MAX_BATCH_SIZE = 200;
const REPEAT_AFTER_MS = 500;
const MAX_MESSAGE_LENGTH = 2000;

interface Waiting {
  readonly lease: JobLease;
  readonly done: () => void;
}

export function createOutcomeWriter(attempts: Attempts, log: Log) {
  const waiting = new Map<DefinedQueue, Waiting[]>();
  const writing = new Set<DefinedQueue>();

  const writeAll = async (queue: DefinedQueue) => {
    for (;;) {
      const batch = waiting.get(queue)?.splice(0, MAX_BATCH_SIZE) ?? [];
      if (batch.length === 0) break;
      const held = await persist(
        batch.map((entry) => entry.lease),
        () => attempts.complete(batch.map((entry) => entry.lease.attempt)),
      );
      for (const { lease, done } of batch) {
        if (!held.has(lease.attempt.id)) reportUnsettled(lease);
        done();
      }
    }
    writing.delete(queue);
  };

  const persist = async (
    leases: readonly JobLease[],
    write: () => Promise<Set<string>>,
  ): Promise<Set<string>> => {
    for (const lease of leases) lease.isSettling = true;
    for (;;) {
      try {
        return await write();
      } catch (error) {
        log.warn({ jobs: leases.length, error: (error as Error).message }, 'outcome could not be recorded');
        const now = performance.now();
        if (leases.every((lease) => now - lease.renewedAt > lease.heartbeatMs)) return new Set();
        await sleep(REPEAT_AFTER_MS);
      }
    }
  };

  const reportUnsettled = (lease: JobLease) =>
    log.warn(
      { queue: lease.attempt.queue.name, job: lease.attempt.id },
      'dropped the outcome of an attempt that had lost its job',
    );

  return {
    complete(lease: JobLease): Promise<void> {
      const { queue } = lease.attempt;
      return new Promise((done) => {
        const list = waiting.get(queue);
        if (list === undefined) waiting.set(queue, [{ lease, done }]);
        else list.push({ lease, done });
        if (writing.has(queue)) return;
        writing.add(queue);
        // Handlers that end in the same turn of the event loop share one statement.
        setImmediate(() => void writeAll(queue));
      });
    },
    async fail(lease: JobLease, error: unknown): Promise<void> {
      const held = await persist([lease], () => attempts.fail(lease.attempt, reasonOf(error)));
      if (!held.has(lease.attempt.id)) reportUnsettled(lease);
    },
    async handBack(lease: JobLease): Promise<void> {
      lease.isSettling = true;
      try {
        await attempts.handBack(lease.attempt);
      } catch (error) {
        log.warn(
          { job: lease.attempt.id, error: (error as Error).message },
          'job could not be handed back; its lease will expire',
        );
      }
    },
  };
}

function reasonOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, MAX_MESSAGE_LENGTH);
}
