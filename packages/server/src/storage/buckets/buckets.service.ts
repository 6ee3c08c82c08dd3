/** Buckets: creating them, and looking them up quickly for every request. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { checkBucketName, Fault, isBucketName, type KeyLimits, showsBucket } from '@millpond/protocol';
import { StaleIfErrorCache } from '../../platform/cache.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { type BucketLifecycle, lifecycleOf } from './buckets.lifecycle.ts';
import type {
  BucketRow,
  BucketSearch,
  BucketStore,
  GateClosure,
  LookedUpRow,
  MirrorSource,
} from './buckets.store.ts';
import { type CorsRule, DEFAULT_CORS_RULES } from './cors-rules.ts';
import type { Regions } from './regions/regions.ts';
import type { Tag } from './tags.ts';

/** Statements of requests end long before this. */
const CLOSE_TIMEOUT_MS = 30_000;
/** No account can have more. */
const MAX_BUCKETS = 100_000;

export interface Bucket {
  readonly id: bigint;
  readonly name: string;
  readonly uid: bigint;
  readonly region: string;
  readonly isPrivate: boolean;
  readonly createdAt: Date;
  /** The rules that apply to pages of other origins, whether the owner set them or not. */
  readonly cors: readonly CorsRule[];
  /** The rules that the owner has set. */
  readonly ownCors?: readonly CorsRule[] | undefined;
  /** Absent from lists of buckets. */
  readonly lifecycle?: BucketLifecycle | undefined;
  readonly mirror?: MirrorSource | undefined;
}

export interface BucketCreation {
  /** Private from its first moment; by default everybody may read. */
  readonly isPrivate?: boolean;
  readonly tags?: readonly Tag[] | undefined;
  /** The control transaction that creates its owner. */
  readonly within?: Queryable | undefined;
}

export interface BucketOptions {
  readonly maxBuckets: number;
  readonly freshMs: number;
  readonly staleMs: number;
  /** The rules for buckets whose owner has set none; by default pages of any origin may read. */
  readonly corsDefault?: readonly CorsRule[];
  /** Called for every call that an owner makes on a bucket. */
  readonly onCall?: (bucket: Bucket) => void;
}

export class Buckets {
  readonly #store: BucketStore;
  readonly #regions: Regions;
  readonly #options: BucketOptions;
  readonly #byName: StaleIfErrorCache<Bucket>;
  readonly #byDomain: StaleIfErrorCache<Bucket>;

  constructor(store: BucketStore, regions: Regions, options: BucketOptions) {
    this.#store = store;
    this.#regions = regions;
    this.#options = options;
    const { freshMs, staleMs } = options;
    const entries = 50_000;
    this.#byName = new StaleIfErrorCache({
      load: async (name) => this.#found(await store.byName(name)),
      freshMs,
      staleMs,
      entries,
    });
    this.#byDomain = new StaleIfErrorCache({
      load: async (name) => this.#found(await store.byDomain(name)),
      freshMs,
      staleMs,
      entries,
    });
  }

  /**
   * In any region, also one that is away now. Control row first, then gate: whoever looks the bucket up in its own region opens
   * a gate that it still waits for, because the region was away or a process died in between. Within the control transaction
   * that creates its owner, the gate is made before the commit: a gate without a bucket does no harm, and if it can't be made,
   * neither owner nor bucket is created.
   */
  async create(uid: bigint, name: string, region: string, creation: BucketCreation = {}): Promise<void> {
    checkBucketName(name);
    const isElsewhere = !this.#isOwn(region);
    if (isElsewhere) await this.#regions.refuseUnknown(region);
    const { isPrivate = false, tags, within } = creation;
    const awaitsGate = within === undefined || isElsewhere;
    const row = { name, uid, region, isElsewhere, isPrivate, tags, awaitsGate };
    const created = await this.#store.insert(row, this.#options.maxBuckets, within);
    if (created !== undefined) {
      if (!awaitsGate) await this.#store.openGate(created.bucket_id);
      else await this.#openAwaited(created);
      this.#byName.forget(name);
      return;
    }
    const existing = await this.#store.byName(name);
    if (existing === undefined)
      throw new Fault('tooManyBuckets', { hint: `an account may have at most ${this.#options.maxBuckets}` });
    if (existing.uid !== uid) throw new Fault('bucketTaken');
    await this.#openAwaited(existing);
    throw new Fault('bucketExists');
  }

  async setPrivate(uid: bigint, name: string, isPrivate: boolean): Promise<void> {
    const result = await this.#store.setPrivate(name, uid, isPrivate);
    if (result === undefined) throw new Fault('noSuchBucket');
    this.#byName.forget(name);
    if (result && !isPrivate)
      throw new Fault('notAllowed', {
        hint: 'its public access block, which S3 set, keeps the bucket private: remove it there first',
      });
  }

  /** Without a source, the bucket is no longer mirrored. */
  async setMirror(uid: bigint, name: string, mirror: MirrorSource | undefined): Promise<void> {
    if (!(await this.#store.setMirror(name, uid, mirror))) throw new Fault('noSuchBucket');
    this.#byName.forget(name);
  }

  /** The buckets of several accounts, as pairs. */
  idsOf(uids: readonly bigint[]): Promise<{ readonly uid: bigint; readonly bucket_id: bigint }[]> {
    return this.#store.idsOf(uids);
  }

  /** Ordered by name. */
  async ofAccount(uid: bigint, search: Partial<BucketSearch> = {}): Promise<Bucket[]> {
    return (await this.#store.ofAccount(uid, { after: '', most: MAX_BUCKETS, ...search })).map((row) =>
      this.#bucketOf(row),
    );
  }

  /**
   * Those that an access key with these limits may know. A page is then cut from all of them: its end must not name a bucket that
   * the key may not know.
   */
  async visibleTo(
    uid: bigint,
    limits: KeyLimits,
    { most, ...search }: Partial<BucketSearch>,
  ): Promise<Bucket[]> {
    if (limits.buckets === undefined)
      return this.ofAccount(uid, most === undefined ? search : { ...search, most });
    return (await this.ofAccount(uid, search)).filter(({ name }) => showsBucket(limits, name)).slice(0, most);
  }

  /**
   * Buckets whose drop started long ago and did not finish because its process died. If the bucket itself is already gone,
   * its gate is removed here.
   */
  async interruptedDrops(seconds: number): Promise<Bucket[]> {
    const found: Bucket[] = [];
    for (const id of await this.#store.longClosing(seconds)) {
      const row = await this.#store.byId(id);
      if (row === undefined) await this.#store.remove(id);
      else found.push(this.#bucketOf(row));
    }
    return found;
  }

  /** After this, no commit can add to the bucket, and none that could is still running. */
  async close(bucket: Bucket): Promise<GateClosure> {
    const closing = { bucketId: bucket.id, by: randomUUID() };
    await this.#store.closeGate(closing);
    // Earlier transactions may have seen the gate open, and may still write.
    let older = await this.#store.runningWork();
    for (const end = performance.now() + CLOSE_TIMEOUT_MS; older.length > 0; ) {
      if (performance.now() > end) {
        await this.#store.reopenGate(closing);
        throw new Fault('tooManyRequests', {
          hint: 'the database is too busy to drop a bucket',
          retryAfterSeconds: 30,
        });
      }
      await sleep(20);
      const running = await this.#store.runningWork();
      older = older.filter((work) => running.includes(work));
    }
    return closing;
  }

  /** Renews a closing, to show that its process is still at work; false if another process took over. */
  keepClosed(closing: GateClosure): Promise<boolean> {
    return this.#store.keepGateClosed(closing);
  }

  /** Does nothing if another process has closed it since and needs it closed. */
  reopen(closing: GateClosure): Promise<void> {
    return this.#store.reopenGate(closing);
  }

  /** Removes a closed and empty bucket. */
  async remove(bucket: Bucket): Promise<void> {
    await this.#store.remove(bucket.id);
    this.#byName.forget(bucket.name);
  }

  /** Call after a change made here, so that its author sees it at once. */
  forget(name: string): void {
    this.#byName.forget(name);
  }

  forgetDomain(domain: string): void {
    this.#byDomain.forget(domain);
  }

  async byName(name: string): Promise<Bucket | undefined> {
    if (!isBucketName(name)) return undefined;
    return this.#byName.peek(name) ?? (await this.#byName.get(name));
  }

  async byDomain(domain: string): Promise<Bucket | undefined> {
    return this.#byDomain.get(domain);
  }

  /** The caller's own bucket in this region. */
  async owned(uid: bigint, name: string): Promise<Bucket> {
    const bucket = await this.ownedUncounted(uid, name);
    this.#options.onCall?.(bucket);
    return bucket;
  }

  /**
   * The same, for lookups that are not calls by the owner. Another account's bucket gives the same answer as a missing one,
   * so that nobody learns which names exist.
   */
  async ownedUncounted(uid: bigint, name: string): Promise<Bucket> {
    const bucket = await this.ownedInAnyRegion(uid, name);
    await this.assertInThisRegion(bucket);
    return bucket;
  }

  /** The same, in whichever region it is. */
  async ownedInAnyRegion(uid: bigint, name: string): Promise<Bucket> {
    const bucket = await this.byName(name);
    if (bucket === undefined || bucket.uid !== uid) throw new Fault('noSuchBucket');
    return bucket;
  }

  /** Nothing of a bucket in another region is known here but its record. */
  async assertInThisRegion(bucket: Bucket): Promise<void> {
    if (!this.#isOwn(bucket.region)) throw await this.#regions.wrongRegionFault(bucket);
  }

  /** Where a role of the bucket's region is reached, if that is another and has told it. */
  async hostOf({ region }: Bucket, role: string): Promise<string | undefined> {
    return (await this.#regions.publishedHosts(region)).find((told) => told.role === role)?.host;
  }

  #isOwn(region: string): boolean {
    return region === this.#regions.own;
  }

  async #openAwaited({ bucket_id: id, region, awaits_gate: awaits }: BucketRow): Promise<void> {
    if (awaits && this.#isOwn(region)) await this.#store.openPendingGate(id);
  }

  async #found(row: LookedUpRow | undefined): Promise<Bucket | undefined> {
    if (row === undefined) return undefined;
    await this.#openAwaited(row);
    return { ...this.#bucketOf(row), lifecycle: lifecycleOf(row) };
  }

  #bucketOf(row: BucketRow): Bucket {
    return {
      id: row.bucket_id,
      name: row.name,
      uid: row.uid,
      region: row.region,
      isPrivate: row.is_private,
      createdAt: row.created_at,
      ownCors: row.cors_rules ?? undefined,
      cors: row.cors_rules ?? this.#options.corsDefault ?? DEFAULT_CORS_RULES,
      mirror: row.mirror ?? undefined,
    };
  }
}
