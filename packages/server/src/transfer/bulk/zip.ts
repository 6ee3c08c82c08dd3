/**
 * The archive of many objects: read one after the other and written as a stream, in constant memory but for the index. It becomes
 * an object in the transaction that ends the work. A worker that is killed leaves bytes that nobody names, which the sweep
 * removes; the next one begins anew.
 */
import { type BlobStore, newBlobId } from '@millpond/blobs';
import { createZipWriter, eachPiece, isPackedType } from '@millpond/jail';
import { Fault, GIB, MIB, unrestoredFault } from '@millpond/protocol';
import type { ProcessingFeature } from '../../media/processing/index.ts';
import type { Bucket } from '../../storage/buckets/index.ts';
import { BodyDigest, endOfPrefix } from '../../storage/objects/index.ts';
import type { BulkStore, ObjectFailure, RunningBulkRow } from './bulk.store.ts';
import type { BulkObjectStore, FoundObject } from './bulk-object.store.ts';
import { isInScope, keyLimitFault } from './bulk-scope.ts';
import { MAX_PROBLEMS, problemOf } from './pages.ts';

export interface ZipDeps {
  readonly store: BulkStore;
  readonly objects: BulkObjectStore;
  readonly blobs: BlobStore;
  readonly sources: ProcessingFeature['objectSources'];
  readonly results: ProcessingFeature['results'];
}

export type ZipEnd = { readonly done: number; readonly failed: number } | 'lost';

/** As of `mkzip`. */
const MAX_FILES = 50_000;
const MAX_BYTES = 64 * GIB;
const PAGE = 1000;
const REPORT_FILES = 100;
const REPORT_BYTES = 64 * MIB;
const DISABLED = 1;

/** It was stopped, or another run has it. */
class SourceLostError extends Error {}

export async function runZip(
  deps: ZipDeps,
  row: RunningBulkRow,
  target: Bucket,
  signal: AbortSignal,
): Promise<ZipEnd> {
  const key = row.request.zip?.key ?? '';
  const force = row.request.force ?? false;
  if (!force && (await deps.results.isTaken({ bucket: target, key }))) throw taken(key);
  const sums = new Sums(deps.store, row);
  const blobId = newBlobId();
  const writer = deps.blobs.openWriter(blobId, { tier: 'STANDARD', signal });
  try {
    const digest = new BodyDigest(MAX_BYTES, { crc32: false });
    const zip = createZipWriter(async (bytes) => {
      digest.update(Buffer.from(bytes));
      await writer.write(bytes);
    });
    const add = async (object: FoundObject): Promise<Fault | undefined> => {
      const name = nameInZip(object.key, row.prefix);
      const refusal = refusalOf(row, object, name);
      if (refusal !== undefined || name === undefined || name === '') return refusal;
      if (sums.done === MAX_FILES)
        throw new Fault('tooLarge', { hint: `an archive may have ${MAX_FILES} files` });
      const source = await deps.sources.content(object, signal);
      const each = (take: (piece: Uint8Array) => Promise<void>) => eachPiece(source, signal, take);
      const method = isPackedType(object.mime_type) ? 'store' : 'deflate';
      await zip.add(name, { size: source.size, each }, method);
      return undefined;
    };
    for await (const object of objectsOf(deps.objects, row)) {
      signal.throwIfAborted();
      const fault = 'missing' in object ? new Fault('noSuchEntry') : await add(object);
      await sums.add(object.key, 'missing' in object ? 0 : Number(object.fsize), fault);
    }
    await zip.finish();
    await writer.finish();
    const { size, hash } = digest.finish();
    const file = { blobId, size, hash, mimeType: 'application/zip' };
    const place = { bucket: target, key, expiresAt: undefined, endUser: undefined };
    let isEnded = false;
    await deps.results.commit(file, place, force, async (transaction) => {
      await sums.end(transaction);
      isEnded = true;
    });
    if (!isEnded) throw taken(key);
    return { done: sums.done, failed: sums.failed };
  } catch (error) {
    await writer.abort();
    if (error instanceof SourceLostError) return 'lost';
    throw error;
  }
}

function taken(key: string): Fault {
  return new Fault('fileExists', { hint: `${key} exists; choose another key, or replace it by force` });
}

function refusalOf(row: RunningBulkRow, object: FoundObject, name: string | undefined): Fault | undefined {
  const limited = keyLimitFault(row, object.key);
  if (limited !== undefined) return limited;
  if (object.status === DISABLED) return new Fault('objectDisabled');
  if (object.restore_status === 0 || object.restore_status === 1) return unrestoredFault(object.class);
  return name === undefined
    ? new Fault('invalidArgument', { hint: 'its key is not a name that an archive may have' })
    : undefined;
}

/** Page by page, so that no connection is held while bytes are read. */
async function* objectsOf(
  objects: BulkObjectStore,
  row: RunningBulkRow,
): AsyncGenerator<FoundObject | { readonly key: string; readonly missing: true }> {
  if (row.keys !== null) {
    for (let at = 0; at < row.keys.length; at += PAGE) {
      const named = row.keys.slice(at, at + PAGE);
      const byKey = new Map((await objects.named(row.bucket_id, named)).map((each) => [each.key, each]));
      for (const key of named) yield byKey.get(key) ?? { key, missing: true };
    }
    return;
  }
  const until = endOfPrefix(row.prefix);
  for (let from = row.prefix; ; ) {
    const page = await objects.range({ bucketId: row.bucket_id, from, until }, PAGE);
    for (const each of page) if (isInScope(row, each)) yield each;
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    from = `${last.key}\u0001`;
  }
}

/** What this run has done so far, told to the row every now and then. */
class Sums {
  readonly #store: BulkStore;
  readonly #run: { readonly bulkId: string; readonly run: number };
  readonly #problems: ObjectFailure[] = [];
  #current: string | undefined;
  #bytes = 0;
  #untold = { files: 0, bytes: 0 };
  done = 0;
  failed = 0;

  constructor(store: BulkStore, { bulk_id: bulkId, run }: RunningBulkRow) {
    this.#store = store;
    this.#run = { bulkId, run };
  }

  async add(key: string, size: number, fault: Fault | undefined): Promise<void> {
    this.#current = key;
    if (fault === undefined) {
      this.done++;
      this.#bytes += size;
    } else {
      this.failed++;
      if (this.#problems.length < MAX_PROBLEMS) this.#problems.push(problemOf(key, fault));
    }
    this.#untold = { files: this.#untold.files + 1, bytes: this.#untold.bytes + size };
    if (this.#untold.files < REPORT_FILES && this.#untold.bytes < REPORT_BYTES) return;
    this.#untold = { files: 0, bytes: 0 };
    if (!(await this.#store.report(this.#run, this.#progress(false)))) throw new SourceLostError();
  }

  async end(transaction: Parameters<BulkStore['report']>[2]): Promise<void> {
    if (!(await this.#store.report(this.#run, this.#progress(true), transaction)))
      throw new SourceLostError();
  }

  #progress(isLast: boolean) {
    const { done, failed } = this;
    return { done, failed, bytes: this.#bytes, current: this.#current, problems: this.#problems, isLast };
  }
}

/** Names of objects in an archive: their keys below the folder of the prefix. Whoever unpacks it must get nothing outside of his own. */
const UNSAFE = /[\\\p{Cc}]|^[A-Za-z]:/u;

/** Undefined: it can't stand in an archive. The empty name: the folder itself, which needs no entry. */
export function nameInZip(key: string, prefix: string): string | undefined {
  const name = key.slice(prefix.lastIndexOf('/') + 1);
  if (name === '') return '';
  const parts = name.split('/');
  const inner = parts.at(-1) === '' ? parts.slice(0, -1) : parts;
  const isOutside = inner.some((part) => part === '' || part === '.' || part === '..');
  return isOutside || UNSAFE.test(name) ? undefined : name;
}
