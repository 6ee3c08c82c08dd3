/**
 * Storage classes: `chtype` records a class at once and queues a job in the same commit to move the bytes; `restoreAr`
 * makes an archive object readable for some days. No job runs for a restore: the row holds when it is ready and when
 * it ends, and the database's clock does the rest.
 */
import type { BlobId } from '@millpond/blobs';
import {
  DAY_MS,
  Fault,
  isArchiveClass,
  parseFreezeAfterDays,
  parseObjectEntry,
  parseStorageClass,
  type RequiredPermission,
} from '@millpond/protocol';
import type { Buckets } from '../../buckets/index.ts';
import { assertReadable, RESTORED, type RestorableRow } from '../restore-status.ts';
import type { RequestClassMove } from '../upkeep-requests.ts';
import type { ArchiveStore, ClassRow, RestoreTimes } from './archive.store.ts';
import { entryBucket } from './entry-bucket.ts';
import type { Operation } from './operation.ts';

export interface ArchiveOptions {
  /** How long a restore takes. */
  readonly archiveMs: number;
  readonly deepArchiveMs: number;
  /** Restores and their days run this many times faster. */
  readonly timeFactor: number;
}

export interface ArchiveDeps {
  readonly store: ArchiveStore;
  readonly buckets: Buckets;
  readonly options: ArchiveOptions;
  /** Absent where no queue is open: the job that looks for misplaced bytes finds them. */
  readonly requestMove?: RequestClassMove | undefined;
}

export function archiveOperations(deps: ArchiveDeps): Operation[] {
  return [
    {
      name: 'restoreAr',
      permissions: entryPermissions,
      run: (uid, segments) => restore(deps, uid, segments),
    },
    {
      name: 'chtype',
      permissions: entryPermissions,
      run: (uid, segments) => changeClass(deps, uid, segments),
    },
  ];
}

/** Restores, too: they cost, and change what others can read. */
function entryPermissions([encoded = '']: readonly string[]): RequiredPermission[] {
  return [{ action: 'write', ...parseObjectEntry(encoded) }];
}

async function restore(
  { store, buckets, options }: ArchiveDeps,
  uid: bigint,
  segments: readonly string[],
): Promise<undefined> {
  const [encoded, daysText] = named(segments, 'restoreAr', 'freezeAfterDays');
  const entry = parseObjectEntry(encoded);
  const days = parseFreezeAfterDays(daysText);
  const bucket = await entryBucket(buckets, uid, entry.bucket);
  const row = await store.restore(bucket.id, entry.key, restoreTimes(options, days));
  assertRestorable(row);
}

/** Throws unless the row, as read before the restore, was restorable. */
export function assertRestorable(row: RestorableRow | undefined): void {
  if (row === undefined) throw new Fault('noSuchEntry');
  if (!isArchiveClass(row.class)) throw new Fault('notArchive');
  if (row.restore_status === RESTORED) throw new Fault('archiveAlreadyRestored');
}

export function restoreTimes(options: ArchiveOptions, days: number): RestoreTimes {
  const scaled = (milliseconds: number) => Math.max(1, Math.round(milliseconds / options.timeFactor));
  return {
    archiveMs: scaled(options.archiveMs),
    deepArchiveMs: scaled(options.deepArchiveMs),
    windowMs: scaled(days * DAY_MS),
  };
}

async function changeClass(
  { store, buckets, requestMove }: ArchiveDeps,
  uid: bigint,
  segments: readonly string[],
): Promise<undefined> {
  const [encoded, classText] = named(segments, 'chtype', 'type');
  const entry = parseObjectEntry(encoded);
  const storageClass = parseStorageClass(classText);
  const bucket = await buckets.owned(uid, entry.bucket);
  const row = await store.transaction(async (transaction) => {
    const found = await store.changeClass(bucket.id, entry.key, storageClass, transaction);
    const misplaced = blobInWrongTier(found, storageClass);
    if (misplaced !== undefined) await requestMove?.(transaction, misplaced, uid);
    return found;
  });
  assertClassChange(row, storageClass);
}

/** The bytes that a change of class leaves in the wrong tier. */
export function blobInWrongTier(
  row: Pick<ClassRow, 'blob_id' | 'cold'> | undefined,
  storageClass: number,
): BlobId | undefined {
  return row?.blob_id && row.cold !== isArchiveClass(storageClass) ? row.blob_id : undefined;
}

/** Throws unless the row, as read before the change, allowed it. */
export function assertClassChange(row: RestorableRow | undefined, storageClass: number): void {
  if (row === undefined) throw new Fault('noSuchEntry');
  if (row.class !== storageClass) assertReadable(row);
}

/** The two values of `/<operation>/<EncodedEntryURI>/<word>/<value>`. */
function named(segments: readonly string[], operation: string, word: string): readonly [string, string] {
  const [entry, name, value, ...rest] = segments;
  if (entry === undefined || name !== word || value === undefined || rest.length > 0) {
    const hint = `the path must be /${operation}/<EncodedEntryURI>/${word}/<value>`;
    throw new Fault('invalidArgument', { hint });
  }
  return [entry, value];
}
