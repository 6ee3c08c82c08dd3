/**
 * Work that recurs at an interval in seconds, once in the region however many processes register it. Runs of one name never
 * overlap. A run whose process died is taken over when its lease has expired, 10 s later; a run that throws is noted and recurs
 * at its next time. Time is the database's.
 */
import { randomUUID } from 'node:crypto';
import type { Log } from '@millpond/base';
import { settledWithin } from '../sleep.ts';
import { LeaseLostError, WorkerStoppingError } from './job-lease.ts';
import { type Loop, startLoop } from './loop.ts';
import { prepared, type SqlClient } from './statements.ts';

/** The signal is aborted when the run has passed to another process, or this one stops. */
export type PeriodicHandler = (signal: AbortSignal) => Promise<void>;

export interface Periodic {
  every(name: string, seconds: number, handler: PeriodicHandler): Promise<void>;
  /** Starts no more runs, aborts the running ones and waits up to `graceSeconds` for them. */
  stop(graceSeconds: number): Promise<void>;
}

interface Run {
  readonly name: string;
  readonly token: string;
  readonly controller: AbortController;
  readonly ended: Promise<void>;
  renewedAt: number;
}

const POLL_MS = 1000;
/** Started together. When a region starts all are due, and each would take its own database connection. */
const MAX_CONCURRENT_JOBS = 3;
/** The next ones start when these have ended, or after this long: some work takes hours. */
const STAGGER_MS = 100;
const RENEW_MS = 1000;
const LEASE_SECONDS = 10;
const MAX_ERROR_LENGTH = 2000;

const REGISTER = `
INSERT INTO queue.periodic (name, every_seconds) VALUES ($1, $2)
ON CONFLICT (name) DO UPDATE SET every_seconds = excluded.every_seconds,
  next_due = least(periodic.next_due, now() + make_interval(secs => excluded.every_seconds))
WHERE periodic.every_seconds <> excluded.every_seconds`;

const CLAIM = `
UPDATE queue.periodic SET run = $2, started_at = now(), lease_until = now() + make_interval(secs => ${LEASE_SECONDS})
WHERE name IN (
  SELECT name FROM queue.periodic
  WHERE name = ANY($1::text[]) AND next_due <= now() AND (lease_until IS NULL OR lease_until < now())
  ORDER BY next_due LIMIT ${MAX_CONCURRENT_JOBS} FOR UPDATE SKIP LOCKED)
RETURNING name`;

const RENEW = `
UPDATE queue.periodic SET lease_until = now() + make_interval(secs => ${LEASE_SECONDS}) WHERE name = $1 AND run = $2 RETURNING name`;

const END = `
UPDATE queue.periodic SET run = NULL, lease_until = NULL, last_ended_at = now(), last_error = $3,
  next_due = started_at + make_interval(secs => every_seconds)
WHERE name = $1 AND run = $2`;

/** A run given up by a stopping process: at once due for another one. */
const GIVE_BACK = 'UPDATE queue.periodic SET run = NULL, lease_until = NULL WHERE name = $1 AND run = $2';

export function createPeriodic(client: SqlClient, log: Log): Periodic {
  const handlers = new Map<string, PeriodicHandler>();
  const runs = new Map<string, Run>();
  let polling: Loop | undefined;
  let renewing: Loop | undefined;
  let isStopped = false;

  const claim = async (): Promise<number> => {
    const names = [...handlers.keys()].filter((name) => !runs.has(name));
    const token = randomUUID();
    const sentAt = performance.now();
    const claimed = await prepared<{ name: string }>(client, CLAIM, [names, token]);
    for (const { name } of claimed) start(name, token, sentAt);
    if (claimed.length < MAX_CONCURRENT_JOBS) return POLL_MS;
    const begun = claimed.flatMap(({ name }) => runs.get(name)?.ended ?? []);
    await settledWithin(STAGGER_MS, begun);
    return 0;
  };

  const start = (name: string, token: string, renewedAt: number) => {
    const handler = handlers.get(name);
    if (handler === undefined) return;
    const controller = new AbortController();
    // One turn later, so that the entry exists when the run ends.
    const ended = Promise.resolve().then(() => perform(name, token, controller.signal, handler));
    runs.set(name, { name, token, controller, ended, renewedAt });
  };

  const perform = async (name: string, token: string, signal: AbortSignal, handler: PeriodicHandler) => {
    let failure: string | null = null;
    try {
      await handler(signal);
    } catch (error) {
      failure = String(error).slice(0, MAX_ERROR_LENGTH);
      if (!signal.aborted) log.error({ periodic: name, error: failure }, 'periodic work failed');
    }
    try {
      const isGivenBack = failure !== null && signal.reason instanceof WorkerStoppingError;
      if (isGivenBack) await prepared(client, GIVE_BACK, [name, token]);
      else await prepared(client, END, [name, token, failure]);
    } catch (error) {
      log.warn(
        { periodic: name, error: (error as Error).message },
        'end of periodic work could not be recorded',
      );
    }
    runs.delete(name);
  };

  const renew = async (): Promise<number> => {
    for (const current of Array.from(runs.values())) {
      const sentAt = performance.now();
      if (sentAt - current.renewedAt > LEASE_SECONDS * 1000) current.controller.abort(new LeaseLostError());
      const held = await prepared(client, RENEW, [current.name, current.token]);
      if (held.length > 0) current.renewedAt = sentAt;
      else if (runs.get(current.name) === current) current.controller.abort(new LeaseLostError());
    }
    return RENEW_MS;
  };

  /** `step` returns how long until the next one. */
  const repeat = (step: () => Promise<number>) =>
    startLoop(async () => {
      try {
        return await step();
      } catch (error) {
        log.warn({ error: (error as Error).message }, 'periodic work is waiting for the database');
        return POLL_MS;
      }
    });

  return {
    async every(name, seconds, handler) {
      if (isStopped) throw new Error('the queue is closed');
      await prepared(client, REGISTER, [name, seconds]);
      handlers.set(name, handler);
      polling ??= repeat(claim);
      renewing ??= repeat(renew);
      polling.wake();
    },
    async stop(graceSeconds) {
      isStopped = true;
      await polling?.stop();
      for (const current of runs.values()) current.controller.abort(new WorkerStoppingError());
      await settledWithin(
        graceSeconds * 1000,
        [...runs.values()].map((current) => current.ended),
      );
      await renewing?.stop();
    },
  };
}
