/**
 * Things that only one process at a time takes care of: an engine, the streams' clock. The owner renews its lease, and writes
 * only in transactions that hold the lease's row lock, so that an old owner never works alongside a new one.
 */
import { randomUUID } from 'node:crypto';
import type { Log } from '@millpond/base';
import type { Transaction } from '../db/database.ts';
import { abortableSleep } from '../sleep.ts';
import type { LeaseStore } from './leases.store.ts';

export class LeaseLostError extends Error {}

export interface Lease {
  readonly name: string;
  readonly owner: string;
  /** By the database's clock. */
  readonly takenAt: Date;
  /** Aborted when the lease is lost or given back. */
  readonly signal: AbortSignal;
  /** Throws if somebody else has the lease by now; nobody else gets it until the transaction ends. */
  hold(transaction: Transaction): Promise<void>;
}

export interface LeaseOptions {
  readonly leaseMs: number;
}

/** Renewals within the lease time. */
const RENEWALS = 3;

/**
 * Runs `work` whenever this process has the lease, until `signal`. `work` must end soon after its lease's signal, and may end
 * by itself: then it is restarted.
 */
export async function runWhileLeased(
  parts: { readonly store: LeaseStore; readonly log: Log },
  name: string,
  { leaseMs }: LeaseOptions,
  signal: AbortSignal,
  work: (lease: Lease) => Promise<void>,
): Promise<void> {
  const { store, log } = parts;
  const owner = randomUUID();
  while (!signal.aborted) {
    const takenAt = await store.take(name, owner, leaseMs).catch((error: unknown) => {
      log.warn({ err: error, lease: name }, 'lease could not be requested');
      return undefined;
    });
    if (takenAt === undefined) {
      await abortableSleep(leaseMs / RENEWALS, signal);
      continue;
    }
    const lost = new AbortController();
    const ended = AbortSignal.any([signal, lost.signal]);
    const lease: Lease = {
      name,
      owner,
      takenAt,
      signal: ended,
      async hold(transaction) {
        if (!(await store.hold(transaction, name, owner)))
          throw new LeaseLostError(`the lease ${name} is lost`);
      },
    };
    const renewing = renew(store, lease, leaseMs, lost);
    await work(lease).catch((error: unknown) => {
      if (!ended.aborted) log.error({ err: error, lease: name }, 'work under a lease failed');
    });
    lost.abort();
    await renewing;
    await store.release(name, owner).catch(() => undefined);
    // Work that fails at once must not spin.
    if (!signal.aborted) await abortableSleep(leaseMs / RENEWALS, signal);
  }
}

async function renew(
  store: LeaseStore,
  { name, owner, signal }: Lease,
  leaseMs: number,
  lost: AbortController,
): Promise<void> {
  let goodUntil = performance.now() + leaseMs;
  // A silent database must not keep an owner working beyond its lease.
  const watch = setInterval(() => {
    if (performance.now() > goodUntil) lost.abort();
  }, leaseMs / 20);
  signal.addEventListener('abort', () => clearInterval(watch), { once: true });
  while (!signal.aborted) {
    await abortableSleep(leaseMs / RENEWALS, signal);
    if (signal.aborted) return;
    const asked = performance.now();
    const isMine = await store.renew(name, owner, leaseMs).catch(() => undefined);
    if (isMine === true) goodUntil = asked + leaseMs;
    if (isMine === false || performance.now() > goodUntil) {
      lost.abort();
      return;
    }
  }
}
