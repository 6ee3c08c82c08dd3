/**
 * Mirrored buckets: a missing file is fetched from the bucket's sources when requested, once for all concurrent requests,
 * and never over an existing object. A prefetch fetches it anew, over whatever is there.
 */
import { createHash } from 'node:crypto';
import { Fault, type ObjectEntry } from '@millpond/protocol';
import type { Tenants } from '../../identity/accounts/index.ts';
import { FailureMemory } from '../../platform/failure-memory.ts';
import { SingleFlight } from '../../platform/single-flight.ts';
import type { Bucket, Buckets } from '../../storage/buckets/index.ts';
import type { Objects } from '../../storage/objects/index.ts';
import { commitFetched, describeFetched } from './fetched-object.ts';
import { KeyedSemaphore } from './keyed-semaphore.ts';
import type { MirrorStore } from './mirror.store.ts';
import { originUrl } from './mirror-source.ts';
import { discard, type FetchedFile, fetchFile, type OriginDeps } from './origin.ts';

export interface MirrorDeps extends OriginDeps {
  readonly buckets: Buckets;
  readonly objects: Objects;
  readonly tenants: Tenants;
  readonly store: MirrorStore;
  readonly timeoutMs: number;
  /** Files fetched at a time for one bucket. */
  readonly fillsPerBucket: number;
  /** The same for all buckets of a tenant, but never fewer than for one bucket. */
  readonly fetchesPerAccount: number;
}

type Mirrored = Bucket & { readonly mirror: NonNullable<Bucket['mirror']> };

/** How long a file that an origin does not have, or that was deleted, is not requested again. */
const QUIET_MS = 60_000;
const MAX_ABSENT_KEYS = 50_000;
const MAX_WAITING = 256;
/** An origin that failed is left alone for as long as it took to find that out. */
const FAILURES = { times: 1, maxMs: QUIET_MS, entries: MAX_ABSENT_KEYS };

export class Mirror {
  readonly #deps: MirrorDeps;
  readonly #flights = new SingleFlight();
  readonly #absent = new ExpiringSet(QUIET_MS, MAX_ABSENT_KEYS);
  readonly #failures = new FailureMemory<Fault>(FAILURES);
  readonly #slots: KeyedSemaphore;
  readonly #ofTenant: KeyedSemaphore;

  constructor(deps: MirrorDeps) {
    this.#deps = deps;
    const { fillsPerBucket, timeoutMs: waitMs } = deps;
    const waiting = { waiting: MAX_WAITING, waitMs };
    this.#slots = new KeyedSemaphore({
      ...waiting,
      atOnce: fillsPerBucket,
      hint: 'too many files of this bucket are being fetched',
    });
    this.#ofTenant = new KeyedSemaphore({
      ...waiting,
      atOnce: Math.max(fillsPerBucket, deps.fetchesPerAccount),
      hint: 'too many files of this account’s buckets, and of its children’s, are being fetched',
    });
  }

  async prefetch(uid: bigint, entry: ObjectEntry, cancel: AbortSignal): Promise<void> {
    const bucket = await this.#owned(uid, entry.bucket);
    if (!isMirrored(bucket))
      throw new Fault('invalidArgument', { hint: 'the bucket has no mirror source; see /image' });
    const file = await this.#fetch(bucket, entry.key, cancel);
    if (cancel.aborted) {
      await discard(this.#deps.blobs, file);
      throw cancel.reason;
    }
    await commitFetched(this.#deps.objects, describeFetched(bucket, entry.key, file), 'overwrite', 'mirror');
  }

  /** Fetches a missing object, if the bucket has sources and they have the file. An existing object stays. */
  async fill(bucket: Bucket, key: string, cancel: AbortSignal): Promise<void> {
    if (!isMirrored(bucket)) return;
    const { urls, host } = bucket.mirror;
    // Other sources may have what these do not.
    const name = hashOf(JSON.stringify([String(bucket.id), urls, host, key]));
    if (this.#absent.has(name)) return;
    const known = this.#failures.find(name);
    if (known !== undefined) throw known;
    await this.#flights.join(name, cancel, async (signal) => {
      const giveBack = await this.#slots.acquire(String(bucket.id), signal);
      const began = performance.now();
      try {
        await this.#fill(bucket, key, signal);
      } catch (error) {
        if (error instanceof Fault && error.fault === 'originFailed' && !signal.aborted)
          this.#failures.add(name, error, performance.now() - began);
        if (!(error instanceof Fault) || error.fault !== 'notFound') throw error;
        this.#absent.add(name);
      } finally {
        giveBack();
      }
    });
  }

  async #fill(bucket: Mirrored, key: string, signal: AbortSignal): Promise<void> {
    const { store, objects, blobs } = this.#deps;
    const wasDeleted = () => store.wasDeleted(bucket.id, key, QUIET_MS, signal);
    // A request that found nothing may get here after another fill has stored the object.
    if ((await objects.find(bucket, key, signal)) !== undefined || (await wasDeleted())) return;
    const file = await this.#fetch(bucket, key, signal);
    if (signal.aborted || (await wasDeleted())) {
      await discard(blobs, file);
      return;
    }
    try {
      await commitFetched(objects, describeFetched(bucket, key, file), 'insert', 'mirror');
    } catch (error) {
      // Another request was faster, or the bucket is being deleted: what is there now is served.
      const expected = error instanceof Fault && /^(?:fileExists|noSuchBucket)$/.test(error.fault);
      if (!expected) throw error;
    }
  }

  async #fetch(bucket: Mirrored, key: string, signal: AbortSignal): Promise<FetchedFile> {
    const { urls, host } = bucket.mirror;
    const targets = urls.map((source) => originUrl(source, key));
    if (!targets.every((url) => url !== undefined))
      throw new Fault('notFound', {
        hint: 'a key with . or .. in its path cannot be fetched from an origin',
      });
    const { tenants, timeoutMs } = this.#deps;
    const party = await tenants.of(bucket.uid);
    const source = {
      urls: targets,
      host: host ?? undefined,
      redirects: 0,
      timeoutMs,
      tier: 'STANDARD',
      party,
    } as const;
    // However many buckets a tenant has, sources that don't answer can't take all connections.
    const giveBack = await this.#ofTenant.acquire(String(party), signal);
    try {
      return await fetchFile(this.#deps, source, signal);
    } finally {
      giveBack();
    }
  }

  /** The API answers a prefetch into a bucket that doesn't exist, or isn't the caller's, like a missing file. */
  async #owned(uid: bigint, name: string): Promise<Bucket> {
    try {
      return await this.#deps.buckets.owned(uid, name);
    } catch (error) {
      if (error instanceof Fault && error.fault === 'noSuchBucket') throw new Fault('notFound');
      throw error;
    }
  }
}

function isMirrored(bucket: Bucket): bucket is Mirrored {
  return bucket.mirror !== undefined;
}

/** Names in it take the same memory, long or short. */
function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}

/** Names remembered for a while; if there are too many, the oldest are forgotten first. */
export class ExpiringSet {
  readonly #forMs: number;
  readonly #most: number;
  readonly #now: () => number;
  /** By name, the time at which to forget it; in order of that time. */
  readonly #until = new Map<string, number>();

  constructor(forMs: number, most: number, now: () => number = () => performance.now()) {
    this.#forMs = forMs;
    this.#most = most;
    this.#now = now;
  }

  add(name: string): void {
    this.#until.delete(name);
    this.#until.set(name, this.#now() + this.#forMs);
    for (const [oldest, until] of this.#until) {
      if (this.#until.size <= this.#most && until > this.#now()) break;
      this.#until.delete(oldest);
    }
  }

  has(name: string): boolean {
    return (this.#until.get(name) ?? Number.NEGATIVE_INFINITY) > this.#now();
  }
}
