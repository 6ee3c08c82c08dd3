/**
 * Asynchronous fetches: accepted with an id, done by a job, queried by that id. The job may run any number of times and
 * in several places at once: the object, the end of the fetch and the end of the job are one commit.
 */
import { newBlobId, parseBlobId } from '@millpond/blobs';
import { DAY_MS, Fault, type RequiredPermission, tierOfClass, type WireRecord } from '@millpond/protocol';
import type { Principal, Tenants } from '../../identity/accounts/index.ts';
import type { Transaction } from '../../platform/db/database.ts';
import { type Job, LONG_RETRIES } from '../../platform/queue/queue.ts';
import { aheadText } from '../../platform/queue/standing.ts';
import type { Bucket, Buckets } from '../../storage/buckets/index.ts';
import type { Objects } from '../../storage/objects/index.ts';
import { type AsyncCallbacks, renderedCallback } from './async-callbacks.ts';
import type { AsyncRow, AsyncStore } from './async-fetches.store.ts';
import type { AsyncRequest } from './async-request.ts';
import { commitFetched, describeFetched, type FetchedObject } from './fetched-object.ts';
import { type FetchCommitHook, resultOf } from './fetches.service.ts';
import { KeyedSemaphore } from './keyed-semaphore.ts';
import { checkUrl } from './mirror-source.ts';
import { discardBlobOnError, fetchFile, isPermanent, type OriginDeps } from './origin.ts';

/** Enqueues the job on the caller's transaction: immediately, or after this many seconds. */
export type RequestFetch = (
  transaction: Transaction,
  row: Pick<AsyncRow, 'fetch_id' | 'uid'>,
  afterSeconds: number,
) => Promise<unknown>;

export interface AsyncDeps extends OriginDeps {
  readonly buckets: Buckets;
  readonly objects: Objects;
  readonly tenants: Tenants;
  readonly store: AsyncStore;
  readonly callbacks: AsyncCallbacks;
  /** Absent if no queue is open: then no fetch can be requested. */
  readonly requestFetch: RequestFetch | undefined;
  readonly timeoutMs: number;
  /** Retries come so many times sooner. */
  readonly timeFactor: number;
  readonly onCommit: FetchCommitHook;
}

export type AsyncStatus = WireRecord<'AsyncFetch'>;

/** Fetches that a process makes at a time. They mostly wait for other servers. */
export const FETCH_SLOTS = 8;
/**
 * How many of these one tenant may have. Tenants take turns when jobs are claimed, but origins that don't answer
 * would hold on to their slots, and in the end have all of them.
 */
const SLOTS_OF_TENANT = FETCH_SLOTS / 2;
/** How long a job beyond that waits for another of its tenant to end, as most soon do; then it makes way for others. */
const TURN_MS = 1000;
const PUT_OFF_SECONDS = 5;
/** How long after each failed try the next one follows; after the last, the fetch has failed. */
const RETRY_SECONDS = [5, 30, 120, 600, 1800];
const RETENTION_MS = 10 * DAY_MS;
const FORGET_BATCH = 1000;

export class AsyncFetches {
  readonly #deps: AsyncDeps;
  readonly #ofTenant = new KeyedSemaphore({
    atOnce: SLOTS_OF_TENANT,
    waiting: FETCH_SLOTS,
    waitMs: TURN_MS,
    hint: `a process makes at most ${SLOTS_OF_TENANT} fetches of a tenant at a time`,
  });

  constructor(deps: AsyncDeps) {
    this.#deps = deps;
  }

  async create(principal: Principal, request: AsyncRequest, reqid: string): Promise<AsyncStatus> {
    const { buckets, callbacks, store, outbound, requestFetch } = this.#deps;
    for (const url of request.urls) checkUrl(outbound, url, request.host);
    const accessKey = await callbacks.signer(principal, request.callback);
    const bucket = await buckets.owned(principal.uid, request.bucket);
    if (requestFetch === undefined) throw new Error('no queue is open');
    const row = {
      fetch_id: newBlobId(),
      uid: principal.uid,
      bucket_id: bucket.id,
      request: { ...request, accessKey, reqid },
    };
    await store.transaction(async (transaction) => {
      await store.insert(row, transaction);
      await requestFetch(transaction, row, 0);
    });
    return { id: row.fetch_id, wait: 0, state: 'waiting' };
  }

  /** For whoever may make such a fetch. */
  async status(
    uid: bigint,
    id: string,
    refuse: (asked: RequiredPermission) => void,
    cancel: AbortSignal,
  ): Promise<AsyncStatus> {
    const fetchId = parseBlobId(id);
    const row = fetchId && (await this.#deps.store.find(fetchId, cancel));
    if (row?.uid !== uid) throw new Fault('noSuchEntry', { hint: 'no such fetch' });
    refuse({ action: 'write', bucket: row.request.bucket, key: row.request.key });
    return {
      id: row.fetch_id,
      wait: row.attempts === 0 ? 0 : -1,
      state: row.state,
      waitingFor: row.state === 'waiting' ? await this.#waitOf(row) : undefined,
      ...row.result,
      error: row.error ?? undefined,
    };
  }

  /** Undefined while it is being fetched. */
  async #waitOf({ fetch_id, attempts }: AsyncRow): Promise<AsyncStatus['waitingFor']> {
    const standing = await this.#deps.store.standing(fetch_id);
    if (standing === undefined || standing.state === 'active') return undefined;
    const { ahead, aheadOwn, until } = standing;
    if (until === null)
      return { reason: 'turn', text: `its turn: ${aheadText(ahead, aheadOwn)}`, ahead, aheadOwn };
    const at = until.toISOString();
    if (attempts === 0 && standing.state === 'delayed')
      return {
        reason: 'share',
        text: 'another fetch of this account to end: it has as many as it may',
        until: at,
      };
    return { reason: 'retry', text: `the next try at ${at}`, until: at };
  }

  async run(job: Job): Promise<void> {
    const fetchId = parseBlobId(String(job.data.fetchId));
    const row = fetchId && (await this.#deps.store.find(fetchId));
    if (row?.state !== 'waiting') return;
    const giveBack = await this.#turn(row, job);
    if (giveBack === undefined) await this.#putOff(row, job);
    else await this.#try(row, job).finally(giveBack);
  }

  /** Undefined if its tenant has used all its slots for too long. */
  async #turn({ uid }: AsyncRow, { signal }: Job): Promise<(() => void) | undefined> {
    try {
      return await this.#ofTenant.acquire(String(await this.#deps.tenants.of(uid)), signal);
    } catch (error) {
      if (error instanceof Fault && error.fault === 'tooManyRequests') return undefined;
      throw error;
    }
  }

  /** No server was contacted, so it does not count as a try. */
  async #putOff(row: AsyncRow, job: Job): Promise<void> {
    const { store, requestFetch } = this.#deps;
    await store.transaction(async (transaction) => {
      await requestFetch?.(transaction, row, PUT_OFF_SECONDS);
      await job.commit(transaction.client);
    });
  }

  async #try(row: AsyncRow, job: Job): Promise<void> {
    try {
      await this.#fetch(row, job);
    } catch (error) {
      // The queue retries our own failures, except the last one: then nobody would end the fetch. The job of a worker
      // that stops goes to another.
      const isOurs = !(error instanceof Fault) || error.status === 599;
      if (job.signal.aborted || (isOurs && job.attempt <= LONG_RETRIES.retryLimit)) throw error;
      await this.#failed(
        row,
        job,
        isOurs
          ? new Fault('serverFailure', { hint: 'given up: the server failed at every attempt', cause: error })
          : error,
        isOurs,
      );
    }
  }

  async #fetch(row: AsyncRow, job: Job): Promise<void> {
    const { buckets, objects } = this.#deps;
    const { bucket: name, key, ignoreSameKey } = row.request;
    const bucket = await buckets.byName(name);
    if (bucket?.id !== row.bucket_id) throw new Fault('noSuchBucket');
    if (ignoreSameKey && key !== undefined && (await objects.find(bucket, key)) !== undefined) {
      await this.#leftAlone(row, job);
      return;
    }
    await this.#store(row, job, bucket);
  }

  async #store(row: AsyncRow, job: Job, bucket: Bucket): Promise<void> {
    const { objects, callbacks, blobs } = this.#deps;
    const { key, storageClass, ignoreSameKey, callback } = row.request;
    const { tenants, timeoutMs } = this.#deps;
    const source = sourceOf(row.request, { timeoutMs, party: await tenants.of(row.uid) });
    const file = await fetchFile(this.#deps, source, job.signal);
    const object = describeFetched(bucket, key, file, storageClass);
    const { delivery, also, signer } = await discardBlobOnError(blobs, file, async () => {
      job.signal.throwIfAborted();
      const delivery = callback && renderedCallback(callback, object, row);
      const also = await this.#deps.onCommit(object, row.request.reqid);
      // Once the object exists, no failure of ours may keep its callback from being sent.
      return { delivery, also, signer: delivery && (await callbacks.signerOf(delivery)) };
    });
    try {
      await commitFetched(
        objects,
        object,
        ignoreSameKey ? 'insert' : 'overwrite',
        'fetch',
        async (transaction, outcome) => {
          await also?.(transaction, outcome);
          if (delivery !== undefined) await callbacks.record(delivery, transaction);
          await this.#end(row, job, transaction, object);
        },
      );
    } catch (error) {
      if (!(error instanceof Fault) || error.fault !== 'fileExists') throw error;
      await this.#leftAlone(row, job);
      return;
    }
    if (delivery !== undefined) await callbacks.send(delivery, signer);
  }

  async #end(row: AsyncRow, job: Job, transaction: Transaction, object?: FetchedObject): Promise<void> {
    const end = {
      state: 'done',
      error: null,
      result: object === undefined ? null : resultOf(object),
    } as const;
    if (!(await this.#deps.store.settle(row.fetch_id, end, transaction)))
      throw new Error('the fetch has ended elsewhere');
    await job.commit(transaction.client);
  }

  /** An object of that name exists already, and the request was to leave it. */
  #leftAlone(row: AsyncRow, job: Job): Promise<void> {
    return this.#deps.store.transaction((transaction) => this.#end(row, job, transaction));
  }

  async #failed(row: AsyncRow, job: Job, fault: Fault, isGivenUp: boolean): Promise<void> {
    const { store, requestFetch, timeFactor } = this.#deps;
    const afterSeconds = isGivenUp || isPermanent(fault) ? undefined : RETRY_SECONDS[row.attempts];
    const state = afterSeconds === undefined ? 'failed' : 'waiting';
    await store.transaction(async (transaction) => {
      if (!(await store.settle(row.fetch_id, { state, error: errorOf(fault), result: null }, transaction)))
        return;
      if (afterSeconds !== undefined) await requestFetch?.(transaction, row, afterSeconds / timeFactor);
      await job.commit(transaction.client);
    });
  }

  /** Fetches requested this long ago can no longer be queried. */
  async forget(signal: AbortSignal): Promise<number> {
    let total = 0;
    while (!signal.aborted) {
      const forgotten = await this.#deps.store.forget(RETENTION_MS, FORGET_BATCH);
      total += forgotten;
      if (forgotten < FORGET_BATCH) break;
    }
    return total;
  }
}

function sourceOf(
  { urls, host, storageClass, md5, etag }: AsyncRequest,
  { timeoutMs, party }: { timeoutMs: number; party: bigint },
) {
  const check = (content: { readonly hash: string }, found: string): void => {
    if (md5 !== undefined && md5 !== found)
      throw new Fault('contentModified', { hint: 'the file has a different md5' });
    if (etag !== undefined && etag !== content.hash)
      throw new Fault('contentModified', { hint: 'the file has a different etag' });
  };
  return { urls, host, redirects: 3, timeoutMs, tier: tierOfClass(storageClass), party, check } as const;
}

/** For the client that requested it. */
function errorOf(fault: Fault): string {
  return fault.hint ?? fault.message;
}
