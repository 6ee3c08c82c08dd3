/**
 * Uploads in parts for the S3 listener: the same parts, segments, merges and expiry as our own, with the MD5 and checksum of
 * each part. Which parts are taken is decided by the caller, on the locked upload.
 */
import { createHash } from 'node:crypto';
import { newBlobId } from '@millpond/blobs';
import { etagOfParts, Fault, MAX_PARTS, tierOfClass } from '@millpond/protocol';
import { nodeHashing } from '../../../platform/hashing.ts';
import type { Bucket } from '../../../storage/buckets/index.ts';
import type {
  CommitHook,
  Committed,
  Objects,
  S3Description,
  WriteCondition,
} from '../../../storage/objects/index.ts';
import type { CompletedStore } from './completed.store.ts';
import type { CompletionBody, LargeCompletions } from './large-completions.ts';
import type {
  ListedUpload,
  S3NewPart,
  S3PartRow,
  S3UploadDescription,
  S3UploadRow,
  S3UploadStore,
  UploadPage,
} from './s3-upload.store.ts';
import { isUploadId, type UploadStore } from './upload.store.ts';

export interface S3UploadDeps {
  readonly store: S3UploadStore;
  readonly shared: UploadStore;
  readonly completed: CompletedStore;
  readonly largeCompletions: LargeCompletions;
  readonly objects: Objects;
  readonly commitWindowMs: number;
}

/** An object of the parts that were chosen. */
export interface S3Completion {
  readonly bucket: Bucket;
  readonly upload: S3UploadRow;
  readonly parts: readonly S3PartRow[];
  readonly s3: S3Description;
  /** There must be no object yet. */
  readonly isNew: boolean;
  readonly condition: WriteCondition | undefined;
  readonly detectedType: string;
  /** What the request is recognised by if it comes again. */
  readonly request: Uint8Array;
  /** The answer to it, for a client that lost it. */
  readonly answer: (committed: Pick<Committed, 'putTime'>) => string;
  readonly onCommit: CommitHook | undefined;
}

/** An upload does not outlive its expiry; the object's deadline is only the request's own. */
const DEADLINE_SECONDS = 3600;

export class S3Uploads {
  readonly #deps: S3UploadDeps;

  constructor(deps: S3UploadDeps) {
    this.#deps = deps;
  }

  async begin(
    bucket: Bucket,
    key: string,
    storageClass: number,
    description: S3UploadDescription,
  ): Promise<string> {
    const begun = await this.#deps.store.begin(bucket.id, key, storageClass, description);
    if (begun === undefined) throw new Fault('noSuchBucket');
    if (begun.upload_id === null) throw new Fault('quotaExceeded');
    return begun.upload_id;
  }

  /** An id is valid only for the object that it was started for. */
  async find(
    bucket: Bucket,
    key: string,
    uploadId: string,
  ): Promise<S3UploadRow & { readonly is_full: boolean }> {
    const found = isUploadId(uploadId) ? await this.#deps.store.find(uploadId, bucket.id, key) : undefined;
    if (found === undefined) throw new Fault('noSuchUpload');
    return found;
  }

  /** The part's put time. Its bytes are durable. */
  async putPart(part: S3NewPart): Promise<bigint> {
    const putTime = await this.#deps.store.putPart(part, this.#deps.commitWindowMs);
    if (putTime === undefined) throw new Fault('noSuchUpload');
    return putTime;
  }

  parts(uploadId: string, after: number, most: number): Promise<S3PartRow[]> {
    return this.#deps.store.parts(uploadId, after, most);
  }

  list(bucket: Bucket, page: UploadPage, cancel: AbortSignal): Promise<ListedUpload[]> {
    return this.#deps.store.list(bucket.id, page, cancel);
  }

  async abort(uploadId: string): Promise<void> {
    if (!(await this.#deps.shared.abort(uploadId))) throw new Fault('noSuchUpload');
  }

  /** The answer that this completion had, if the object that it made is still there. */
  async answered(request: Uint8Array): Promise<string | undefined> {
    return (await this.#deps.completed.find(Buffer.from(request)))?.answer ?? undefined;
  }

  /** Reads a completion and chooses its parts, in turn with other large ones. */
  inTurn<T>(body: CompletionBody, read: () => Promise<T>): Promise<T> {
    return this.#deps.largeCompletions.inTurn(body, read);
  }

  /** Recognises a completion that is sent again: same upload, same parts. */
  digestOf(uploadId: string, parts: readonly { readonly number: number; readonly etag: string }[]): Buffer {
    const text = parts.map(({ number, etag }) => `${number} ${etag}`).join('\n');
    return createHash('sha256').update(`s3 ${uploadId}\n${text}`).digest();
  }

  async complete(completion: S3Completion): Promise<Committed> {
    const { bucket, upload, parts, s3, isNew, condition } = completion;
    const segments = parts.map((part) => ({ id: part.segment_id, size: Number(part.size) }));
    const [only] = segments;
    return this.#deps.objects.commit(
      {
        bucketId: bucket.id,
        key: upload.key,
        blobId: segments.length === 1 && only !== undefined ? only.id : newBlobId(),
        segments,
        fsize: segments.reduce((sum, { size }) => sum + size, 0),
        hash: etagOfParts(
          nodeHashing,
          parts.map(({ size, etag }) => ({ size: Number(size), etag })),
        ),
        mimeType: upload.s3.mimeType,
        detectedType: completion.detectedType,
        storageClass: upload.class,
        endUser: undefined,
        way: 's3-parts',
        meta: upload.s3.meta,
        headers: upload.s3.headers,
        deadline: Math.floor(Date.now() / 1000) + DEADLINE_SECONDS,
        rowsNameBytes: true,
        tier: tierOfClass(upload.class),
        s3,
        condition,
      },
      isNew ? 'insert' : 'overwrite',
      (transaction, outcome) => this.#end(completion, transaction, outcome),
    );
  }

  async #end(
    { bucket, upload, parts, isNew, request, answer, onCommit }: S3Completion,
    ...[transaction, outcome]: Parameters<CommitHook>
  ): Promise<void> {
    const { shared, store } = this.#deps;
    // The same content is already there: not what was asked for, and nothing may change.
    if (isNew && !outcome.written) throw new Fault('preconditionFailed');
    if ((await shared.lockedParts(upload.upload_id, transaction)) === undefined)
      throw new Fault('noSuchUpload');
    const locked = await store.parts(upload.upload_id, 0, MAX_PARTS, transaction);
    const kept = new Set(locked.map(({ segment_id }) => segment_id));
    if (!parts.every(({ segment_id }) => kept.has(segment_id)))
      throw new Fault('noSuchUpload', { hint: 'the parts were changed meanwhile' });
    await shared.complete(
      upload.upload_id,
      parts.map(({ segment_id }) => segment_id),
      {
        request: Buffer.from(request),
        bucketId: bucket.id,
        key: upload.key,
        putTime: outcome.putTime,
        answer: answer(outcome),
        callback: undefined,
      },
      transaction,
    );
    await onCommit?.(transaction, outcome);
  }
}
