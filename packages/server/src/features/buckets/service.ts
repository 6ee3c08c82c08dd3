/** Buckets: creating them, and finding them quickly for every request. */
import { setTimeout as sleep } from 'node:timers/promises';
import { checkBucketName, Fault } from '@millpond/protocol';
import { BriefCache } from '../../platform/cache.ts';
import type { BucketRow, BucketStore, MirrorSource } from './store.ts';

/** Statements of requests end long before. */
const CLOSE_WITHIN_MS = 30_000;

export interface Bucket {
  readonly id: bigint;
  readonly name: string;
  readonly uid: bigint;
  readonly region: string;
  readonly isPrivate: boolean;
  readonly mirror?: MirrorSource | undefined;
}

export interface BucketOptions {
  readonly region: string;
  readonly maxBuckets: number;
  readonly freshMs: number;
  readonly staleMs: number;
}

export class Buckets {
  readonly #store: BucketStore;
  readonly #options: BucketOptions;
  readonly #byName: BriefCache<Bucket>;
  readonly #byDomain: BriefCache<Bucket>;

  constructor(store: BucketStore, options: BucketOptions) {
    this.#store = store;
    this.#options = options;
    const { freshMs, staleMs } = options;
    const entries = 50_000;
    this.#byName = new BriefCache({
      load: async (name) => toBucket(await store.byName(name)),
      freshMs,
      staleMs,
      entries,
    });
    this.#byDomain = new BriefCache({
      load: async (name) => toBucket(await store.byDomain(name)),
      freshMs,
      staleMs,
      entries,
    });
  }

  /**
   * Control row, then gate. A crash between the two is repaired by asking again: the owner is told that the bucket
   * exists, and it does.
   */
  async create(uid: bigint, name: string, region: string): Promise<void> {
    checkBucketName(name);
    if (region !== this.#options.region)
      throw new Fault('incorrectRegion', { hint: `this is region ${this.#options.region}` });
    const created = await this.#store.insert(name, uid, region, this.#options.maxBuckets);
    if (created !== undefined) {
      await this.#store.openGate(created.bucket_id);
      this.#byName.forget(name);
      return;
    }
    const existing = await this.#store.byName(name);
    if (existing === undefined)
      throw new Fault('tooManyBuckets', { hint: `an account may have ${this.#options.maxBuckets}` });
    if (existing.uid !== uid) throw new Fault('bucketTaken');
    await this.#store.openGate(existing.bucket_id);
    throw new Fault('bucketExists');
  }

  async setPrivate(uid: bigint, name: string, isPrivate: boolean): Promise<void> {
    if (!(await this.#store.setPrivate(name, uid, isPrivate))) throw new Fault('noSuchBucket');
    this.#byName.forget(name);
  }

  /** Without a source the bucket is no longer mirrored. */
  async setMirror(uid: bigint, name: string, mirror: MirrorSource | undefined): Promise<void> {
    if (!(await this.#store.setMirror(name, uid, mirror))) throw new Fault('noSuchBucket');
    this.#byName.forget(name);
  }

  async ofAccount(uid: bigint, most: number): Promise<Bucket[]> {
    return (await this.#store.ofAccount(uid, most)).map(bucketOf);
  }

  /** After this no commit can add to the bucket, and none that could is still under way. */
  async close(bucket: Bucket): Promise<void> {
    const closedBy = await this.#store.closeGate(bucket.id);
    for (const end = performance.now() + CLOSE_WITHIN_MS; await this.#store.hasOlderWork(closedBy); ) {
      if (performance.now() > end) {
        await this.#store.reopenGate(bucket.id);
        throw new Fault('tooManyRequests', {
          hint: 'the database is too busy to drop a bucket',
          retryAfterSeconds: 30,
        });
      }
      await sleep(20);
    }
  }

  reopen(bucket: Bucket): Promise<void> {
    return this.#store.reopenGate(bucket.id);
  }

  /** A closed and empty bucket. */
  async remove(bucket: Bucket): Promise<void> {
    await this.#store.remove(bucket.id);
    this.#byName.forget(bucket.name);
  }

  async byName(name: string): Promise<Bucket | undefined> {
    return this.#byName.peek(name) ?? (await this.#byName.get(name));
  }

  async byDomain(domain: string): Promise<Bucket | undefined> {
    return this.#byDomain.get(domain);
  }

  /**
   * The caller's own bucket of this region. Somebody else's answers like one that isn't there, so that nobody learns
   * which names exist.
   */
  async owned(uid: bigint, name: string): Promise<Bucket> {
    const bucket = await this.byName(name);
    if (bucket === undefined || bucket.uid !== uid) throw new Fault('noSuchBucket');
    if (bucket.region !== this.#options.region) throw new Fault('incorrectRegion');
    return bucket;
  }
}

function toBucket(row: BucketRow | undefined): Bucket | undefined {
  return row && bucketOf(row);
}

function bucketOf(row: BucketRow): Bucket {
  return {
    id: row.bucket_id,
    name: row.name,
    uid: row.uid,
    region: row.region,
    isPrivate: row.is_private,
    mirror: row.mirror ?? undefined,
  };
}
