/** SQL of objects. Each change of an object is one statement; what it replaces goes to the trash by the row's trigger. */
import type { BlobId, Tier } from '../../platform/blobs/index.ts';
import { type Database, type Queryable, statement, type Transaction } from '../../platform/db/database.ts';
import { JoinedReads } from '../../platform/db/joined-reads.ts';
import { type CommitMode, commitStatement, joinedCommitStatement } from './commit/commit-statement.ts';
import { JoinedCommits } from './commit/joined-commits.ts';
import { RECORDED_COLUMNS, RESTORE_STATUS, type RecordedRow } from './record.ts';
import type { RestorableRow } from './restore-status.ts';
import { tierOfClass } from './tier.ts';

export interface ObjectRow extends RecordedRow {
  readonly restore_status: RestorableRow['restore_status'];
  readonly blob_id: BlobId;
  readonly segment_count: number;
}

export interface SegmentRow {
  readonly segment_id: BlobId;
  readonly size: bigint;
}

export interface NewObject {
  readonly bucketId: bigint;
  readonly key: string;
  readonly blobId: BlobId;
  /** More than one where the blob was written in parts. */
  readonly segments: readonly { readonly id: BlobId; readonly size: number }[];
  readonly fsize: number;
  readonly hash: string;
  readonly mimeType: string;
  readonly detectedType: string;
  readonly storageClass: number;
  readonly endUser: string | undefined;
  readonly meta: Readonly<Record<string, string>> | undefined;
  /** Response headers of its downloads, by their names in lower case. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Unix seconds, judged by the database's clock. */
  readonly deadline: number;
  readonly commitWindowMs: number;
  /** The bytes are parts of a resumable upload, which rows name: they may be older than the commit window. */
  readonly rowsNameBytes?: boolean;
  /** Where the bytes were written, if not where the class belongs. */
  readonly tier?: Tier | undefined;
  /** When the object goes by itself. */
  readonly expiresAt?: Date | undefined;
}

export type { CommitMode } from './commit/commit-statement.ts';

export interface CommitRow {
  readonly open: boolean;
  readonly has_room: boolean;
  readonly in_time: boolean;
  readonly fresh: boolean;
  /** The object as it is now, or nulls where nothing was written. */
  readonly blob_id: BlobId | null;
  readonly hash: string | null;
  readonly fsize: bigint | null;
  readonly put_time: bigint | null;
}

const overwrite = statement('object-overwrite', commitStatement('overwrite'));
const insert = statement('object-insert', commitStatement('insert'));
const overwriteMany = statement('object-overwrite-many', joinedCommitStatement('overwrite'));
const insertMany = statement('object-insert-many', joinedCommitStatement('insert'));

const findObjects = statement(
  'object-find',
  `SELECT key, blob_id, segment_count, ${RECORDED_COLUMNS}, ${RESTORE_STATUS}
   FROM region.objects WHERE bucket_id = $1 AND key = ANY ($2::text[])`,
);
const deleteObject = statement(
  'object-delete',
  'DELETE FROM region.objects WHERE bucket_id = $1 AND key = $2 RETURNING key',
);
const segments = statement(
  'object-segments',
  'SELECT segment_id, size FROM region.segments WHERE blob_id = $1 ORDER BY position',
);

export class ObjectStore {
  readonly #region: Database;
  readonly #reads: JoinedReads<ObjectRow & { readonly key: string }>;
  readonly #commits: JoinedCommits<NewObject, CommitRow>;

  constructor(region: Database) {
    this.#region = region;
    this.#reads = new JoinedReads(region, findObjects);
    this.#commits = new JoinedCommits({
      one: (object, mode) => this.#commitOne(object, mode, region),
      many: (objects, mode) => this.#commitMany(objects, mode),
    });
  }

  /** With a transaction, the object stands or falls with what else is in it. */
  commit(object: NewObject, mode: CommitMode, on?: Queryable): Promise<CommitRow> {
    const isPlain = object.segments.length === 1 && !object.rowsNameBytes;
    return on === undefined && isPlain
      ? this.#commits.commit(object, mode)
      : this.#commitOne(object, mode, on ?? this.#region);
  }

  async #commitOne(object: NewObject, mode: CommitMode, on: Queryable): Promise<CommitRow> {
    const parts = object.segments.length > 1 ? object.segments : [];
    const [row] = await on.query<CommitRow>(mode === 'overwrite' ? overwrite : insert, [
      object.bucketId,
      object.key,
      object.blobId,
      object.segments.length,
      object.fsize,
      object.hash,
      object.mimeType,
      object.detectedType,
      object.storageClass,
      object.endUser ?? null,
      pairsOf(object.meta),
      object.deadline,
      object.commitWindowMs,
      parts.map((part) => part.id),
      parts.map((part) => part.size),
      object.expiresAt ?? null,
      object.rowsNameBytes ?? false,
      isCold(object),
      pairsOf(object.headers),
    ]);
    if (row === undefined) throw new Error('the commit statement gave no row');
    return row;
  }

  #commitMany(objects: readonly NewObject[], mode: CommitMode): Promise<(CommitRow & { key: string })[]> {
    const all = (value: (object: NewObject) => unknown) => objects.map(value);
    return this.#region.query<CommitRow & { key: string }>(
      mode === 'overwrite' ? overwriteMany : insertMany,
      [
        objects[0]?.bucketId,
        all((object) => object.key),
        all((object) => object.blobId),
        all((object) => object.fsize),
        all((object) => object.hash),
        all((object) => object.mimeType),
        all((object) => object.detectedType),
        all((object) => object.storageClass),
        all((object) => object.endUser ?? null),
        all((object) => pairsOf(object.meta)),
        all((object) => pairsOf(object.headers)),
        all((object) => object.expiresAt ?? null),
        all(isCold),
        all((object) => object.deadline),
        all((object) => object.commitWindowMs),
      ],
    );
  }

  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return this.#region.transaction(work);
  }

  find(bucketId: bigint, key: string, cancel?: AbortSignal): Promise<ObjectRow | undefined> {
    return this.#reads.find(bucketId, key, cancel);
  }

  async remove(bucketId: bigint, key: string): Promise<boolean> {
    return (await this.#region.query(deleteObject, [bucketId, key])).length === 1;
  }

  async segments(blobId: BlobId, cancel?: AbortSignal): Promise<SegmentRow[]> {
    return this.#region.query<SegmentRow>(segments, [blobId], cancel);
  }
}

/** None at all is no row's value: it costs nothing. */
function pairsOf(pairs: Readonly<Record<string, string>> | undefined): string | null {
  return pairs === undefined ? null : JSON.stringify(pairs);
}

function isCold(object: NewObject): boolean {
  return (object.tier ?? tierOfClass(object.storageClass)) === 'COLD';
}
