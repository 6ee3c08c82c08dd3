/**
 * The statement that creates objects in one bucket by one way, each under a different key. In one round trip it checks gate, quota,
 * deadline and age of the bytes for each object separately, writes the object with the bytes of small ones, and sends refused
 * bytes to the trash (unless other rows name them, or nothing has stored them).
 *
 * Insert-only is a no-op update and never DO NOTHING: the loser of a race would see no row, and could not tell
 * identical content from different. Objects are written in key order, so that two such statements cannot deadlock.
 */
import { type BlobId, slotOfBlob, type Tier } from '@millpond/blobs';
import { type CreationCause, tierOfClass } from '@millpond/protocol';
import type { ChecksumAlgorithm, ChecksumType } from '@millpond/protocol/s3';
import { type Queryable, type Statement, statement } from '../../../platform/db/database.ts';
import { setChangeCauseIfRules } from '../change-cause.ts';
import { withinCommitWindow } from './freshness.ts';
import { overQuota } from './quota-statement.ts';

export type CommitMode = 'insert' | 'overwrite';

export interface NewObject {
  readonly bucketId: bigint;
  readonly key: string;
  readonly blobId: BlobId;
  /** More than one if the blob was written in parts. */
  readonly segments: readonly { readonly id: BlobId; readonly size: number }[];
  readonly fsize: number;
  /** The bytes of a small blob, which are stored by this commit. */
  readonly inline?: Buffer | undefined;
  readonly hash: string;
  readonly mimeType: string;
  readonly detectedType: string;
  readonly storageClass: number;
  readonly endUser: string | undefined;
  readonly meta: Readonly<Record<string, string>> | undefined;
  /** Response headers for downloads of the object, keyed by lower-case name. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Unix seconds, compared with the database's clock. */
  readonly deadline: number;
  readonly commitWindowMs: number;
  /** The bytes are parts of a resumable upload, which rows name, so they may be older than the commit window. */
  readonly rowsNameBytes?: boolean;
  /** Where the bytes were written, if not in the tier of the class. */
  readonly tier?: Tier | undefined;
  /** When the object expires. */
  readonly expiresAt?: Date | undefined;
  /** Change cause reported in object events. */
  readonly way?: CreationCause | undefined;
  /** What only the S3 protocol says of an object. */
  readonly s3?: S3Description | undefined;
  /** On the object that is there now, judged under its lock. */
  readonly condition?: WriteCondition | undefined;
}

export interface S3Description {
  readonly md5: Uint8Array;
  /** 0: of the whole content. Otherwise `md5` is that of the parts' MD5s, and this is their number. */
  readonly md5Parts: number;
  readonly checksum?: StoredChecksum | undefined;
  readonly partList?: readonly (readonly [size: number, checksum: string | null])[] | undefined;
  readonly tags?: Readonly<Record<string, string>> | undefined;
}

export interface StoredChecksum {
  readonly algorithm: ChecksumAlgorithm;
  readonly value: string;
  readonly type: ChecksumType;
}

/** ETags without their quotes; `any`: there must be an object, whatever its ETag. */
export interface WriteCondition {
  readonly ifMatch?: readonly string[] | 'any' | undefined;
  readonly ifNoneMatch?: readonly string[] | undefined;
}

export interface CommitRow {
  readonly open: boolean;
  readonly has_room: boolean;
  readonly in_time: boolean;
  readonly fresh: boolean;
  /** Whether there was an object, and whether the condition holds; only of conditional commits. */
  readonly was_there?: boolean;
  readonly matches?: boolean;
  /** The object as it is now; null if nothing was written. */
  readonly blob_id: BlobId | null;
  readonly hash: string | null;
  readonly fsize: bigint | null;
  readonly put_time: bigint | null;
}

/** One value that the statement gets for each object: column name, type, and how to obtain it. */
type Column<From> = readonly [name: string, type: string, value: (from: From) => unknown];

const OBJECT_COLUMNS: readonly Column<NewObject>[] = [
  ['blob_id', 'uuid', ({ blobId }) => blobId],
  ['segment_count', 'int4', ({ segments }) => segments.length],
  ['fsize', 'int8', ({ fsize }) => fsize],
  ['hash', 'text', ({ hash }) => hash],
  ['mime_type', 'text', ({ mimeType }) => mimeType],
  ['detected_type', 'text', ({ detectedType }) => detectedType],
  ['class', 'int2', ({ storageClass }) => storageClass],
  ['end_user', 'text', ({ endUser }) => endUser ?? null],
  ['meta', 'jsonb', ({ meta }) => jsonOf(meta)],
  ['headers', 'jsonb', ({ headers }) => jsonOf(headers)],
  ['expires_at', 'timestamptz', ({ expiresAt }) => expiresAt ?? null],
  ['md5', 'bytea', ({ s3 }) => s3?.md5 ?? null],
  ['md5_parts', 'int2', ({ s3 }) => s3?.md5Parts ?? null],
  ['checksum', 'jsonb', ({ s3 }) => jsonOf(s3?.checksum)],
  ['part_list', 'jsonb', ({ s3 }) => jsonOf(s3?.partList)],
  ['tags', 'jsonb', ({ s3 }) => jsonOf(s3?.tags)],
  ['cold', 'boolean', ({ tier, storageClass }) => (tier ?? tierOfClass(storageClass)) === 'COLD'],
];
const INPUT_COLUMNS: readonly Column<NewObject>[] = [
  ['key', 'text', ({ key }) => key],
  ...OBJECT_COLUMNS,
  ['deadline', 'int8', ({ deadline }) => deadline],
  ['window_ms', 'int8', ({ commitWindowMs }) => commitWindowMs],
  ['rows_name_bytes', 'boolean', ({ rowsNameBytes }) => rowsNameBytes ?? false],
  ['way', 'text', ({ way }) => way ?? 'other'],
  ['slot', 'int2', ({ inline, blobId }) => (inline === undefined ? null : slotOfBlob(blobId))],
];

/** All objects of a batch share one change cause. */
const CAUSE = `($${2 + INPUT_COLUMNS.findIndex(([name]) => name === 'way')}::text[])[1]`;

/** One part of a blob that was written in several. */
interface Part {
  readonly of: NewObject;
  readonly at: number;
}
const SEGMENT_COLUMNS: readonly Column<Part>[] = [
  ['blob_id', 'uuid', ({ of }) => of.blobId],
  ['position', 'int4', ({ at }) => at + 1],
  ['segment_id', 'uuid', ({ of, at }) => of.segments[at]?.id],
  ['size', 'int8', ({ of, at }) => of.segments[at]?.size],
];

const namesOf = (columns: readonly Column<never>[]) => columns.map(([name]) => name).join(', ');
/** Rows from arrays, one array per column; the arrays are the statement's values from `$<first>` on. */
const rowsOf = (columns: readonly Column<never>[], first: number) =>
  `unnest(${arraysOf(columns, first)}) AS given (${namesOf(columns)})`;
const arraysOf = (columns: readonly Column<never>[], first: number) =>
  columns.map(([, type], at) => `$${first + at}::${type}[]`).join(', ');

const OVERWRITE = `
  ${OBJECT_COLUMNS.map(([name]) => `${name} = excluded.${name}`).join(', ')}, status = 0,
  to_ia_at = NULL, to_archive_at = NULL, to_deep_archive_at = NULL, restore_ready_at = NULL, restore_ends_at = NULL,
  put_time = GREATEST(excluded.put_time, o.put_time + 1)`;

/**
 * The bytes of all small blobs, one after the other, and where in them each object's begin, counted from 1: an array of bytes
 * would travel as text.
 */
const BYTES_AT = 2 + INPUT_COLUMNS.length + SEGMENT_COLUMNS.length;
const INLINE_BYTES = `$${BYTES_AT}::bytea`;
const INLINE_OFFSETS = `$${BYTES_AT + 1}::int4[]`;
/** The values after those; a statement with conditions has a single object. */
const CONDITION_AT = BYTES_AT + 2;
const IF_MATCH = `$${CONDITION_AT}::text[]`;
const IF_ANY = `$${CONDITION_AT + 1}::boolean`;
const IF_NONE_MATCH = `$${CONDITION_AT + 2}::text[]`;
const ETAG_OF = (row: string) => `region.s3_etag(${row}.md5, ${row}.md5_parts, ${row}.hash)`;

/**
 * Judged on the locked row: an object that matched can't be replaced or removed before this statement's transaction ends. A
 * row that appears after that look is judged by the update's own condition.
 */
const CONDITION = {
  held: `held AS MATERIALIZED (
  SELECT ${ETAG_OF('o')} AS etag FROM region.objects o
  WHERE bucket_id = $1 AND key = ANY ($2::text[]) FOR UPDATE
), `,
  judged: `EXISTS (SELECT FROM held) AS was_there,
         (NOT ${IF_ANY} OR EXISTS (SELECT FROM held))
           AND (${IF_MATCH} IS NULL OR EXISTS (SELECT FROM held WHERE etag = ANY (${IF_MATCH})))
           AND (${IF_NONE_MATCH} IS NULL OR NOT EXISTS (SELECT FROM held WHERE etag = ANY (${IF_NONE_MATCH}))) AS matches,`,
  where: ' AND matches',
  update: ` WHERE ${IF_NONE_MATCH} IS NULL OR ${ETAG_OF('o')} <> ALL (${IF_NONE_MATCH})`,
  shown: 'judged.was_there, judged.matches,',
};
const NO_CONDITION = { held: '', judged: '', where: '', update: '', shown: '' };

function textOf(mode: CommitMode, condition = NO_CONDITION): string {
  const terms = { bucketId: '$1', key: 'given.key', size: 'given.fsize', areParts: 'given.rows_name_bytes' };
  // A client may retry an insert-only upload because the answer was lost; it then learns that the object exists.
  const isOver = overQuota(mode === 'insert' ? { ...terms, hash: 'given.hash' } : terms);
  return `
WITH ${condition.held}gate AS MATERIALIZED (
  SELECT state, room_bytes, part_bytes, room_objects, ${setChangeCauseIfRules(CAUSE, '$1')} AS said FROM region.bucket_gate WHERE bucket_id = $1
), judged AS MATERIALIZED (
  SELECT given.*, ${condition.judged}
         EXISTS (SELECT FROM gate WHERE state = 'open') AS open,
         NOT EXISTS (SELECT FROM gate WHERE ${isOver}) AS has_room,
         extract(epoch FROM clock_timestamp()) < deadline AS in_time,
         ${withinCommitWindow('blob_id', 'window_ms')} AS fresh
  FROM unnest(${arraysOf(INPUT_COLUMNS, 2)}, ${INLINE_OFFSETS}) AS given (${namesOf(INPUT_COLUMNS)}, place)
), written AS (
  INSERT INTO region.objects AS o (bucket_id, put_time, key, ${namesOf(OBJECT_COLUMNS)})
  SELECT $1, region.put_time_now(), key, ${namesOf(OBJECT_COLUMNS)}
  FROM judged WHERE open AND has_room AND in_time AND fresh${condition.where} ORDER BY key COLLATE "C"
  ON CONFLICT (bucket_id, key) DO UPDATE SET ${mode === 'overwrite' ? OVERWRITE : 'key = o.key'}${condition.update}
  RETURNING key, blob_id, hash, fsize, put_time
), parts AS (
  INSERT INTO region.segments (${namesOf(SEGMENT_COLUMNS)})
  SELECT ${namesOf(SEGMENT_COLUMNS)} FROM ${rowsOf(SEGMENT_COLUMNS, 2 + INPUT_COLUMNS.length)}
  WHERE EXISTS (SELECT FROM written WHERE written.blob_id = given.blob_id)
), stored AS (
  INSERT INTO region.inbox (slot, blob_id, bytes)
  SELECT slot, blob_id, substr(${INLINE_BYTES}, place, fsize::int4) FROM judged
  WHERE slot IS NOT NULL AND EXISTS (SELECT FROM written WHERE written.blob_id = judged.blob_id)
), turned_away AS (
  INSERT INTO region.trash (blob_id, segment_count, reason)
  SELECT blob_id, segment_count, 'refused' FROM judged
  WHERE NOT rows_name_bytes AND slot IS NULL AND NOT EXISTS (SELECT FROM written WHERE written.blob_id = judged.blob_id)
)
SELECT judged.key, ${condition.shown} judged.open, judged.has_room, judged.in_time, judged.fresh,
       written.blob_id, written.hash, written.fsize, written.put_time
FROM judged LEFT JOIN written ON written.key = judged.key`;
}

const statements: Readonly<Record<CommitMode, Statement>> = {
  insert: statement('object-insert', textOf('insert')),
  overwrite: statement('object-overwrite', textOf('overwrite')),
};
const overwriteIf = statement('object-overwrite-if', textOf('overwrite', CONDITION));

/** One object, if the one that is there now meets its condition. */
export async function commitConditional(
  on: Queryable,
  object: NewObject,
  condition: WriteCondition,
): Promise<CommitRow | undefined> {
  const { ifMatch, ifNoneMatch } = condition;
  const [row] = await on.query<CommitRow>(overwriteIf, [
    ...valuesOf([object]),
    ifMatch === 'any' ? null : (ifMatch ?? null),
    ifMatch === 'any',
    ifNoneMatch ?? null,
  ]);
  return row;
}

/** All in one bucket and by one way, each under a different key. Returns the outcomes in the same order. */
export async function commitBatch(
  on: Queryable,
  objects: readonly NewObject[],
  mode: CommitMode,
): Promise<(CommitRow | undefined)[]> {
  const rows = await on.query<CommitRow & { readonly key: string }>(statements[mode], valuesOf(objects));
  const byKey = new Map(rows.map((row) => [row.key, row]));
  return objects.map(({ key }) => byKey.get(key));
}

function valuesOf(objects: readonly NewObject[]): unknown[] {
  const parts = objects.flatMap((of) =>
    of.segments.length > 1 ? of.segments.map((_, at): Part => ({ of, at })) : [],
  );
  return [
    objects[0]?.bucketId,
    ...INPUT_COLUMNS.map(([, , value]) => objects.map(value)),
    ...SEGMENT_COLUMNS.map(([, , value]) => parts.map(value)),
    ...bytesOf(objects),
  ];
}

const NO_BYTES = Buffer.alloc(0);

function bytesOf(objects: readonly NewObject[]): [bytes: Buffer, places: number[]] {
  let at = 1;
  const places = objects.map(({ inline }) => {
    const place = at;
    at += inline?.length ?? 0;
    return place;
  });
  const [only] = objects;
  if (objects.length === 1) return [only?.inline ?? NO_BYTES, places];
  return [at === 1 ? NO_BYTES : Buffer.concat(objects.map(({ inline }) => inline ?? NO_BYTES)), places];
}

/** Nothing is stored as NULL, which costs nothing. */
function jsonOf(value: object | undefined): string | null {
  return value === undefined ? null : JSON.stringify(value);
}
