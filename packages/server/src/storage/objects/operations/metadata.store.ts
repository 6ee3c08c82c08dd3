/** SQL of metadata changes: the row is locked, judged and changed in one statement. */
import type { Condition, MetadataChange } from '@millpond/protocol';
import { type Database, statement } from '../../../platform/db/database.ts';
import type { RestorableRow } from '../restore-status.ts';

export interface MetadataUpdate {
  readonly bucketId: bigint;
  readonly key: string;
  readonly mimeType: string | undefined;
  readonly changes: readonly MetadataChange[];
  readonly condition: Condition;
  /** Limit for names and values together, after the change. */
  readonly maxBytes: { readonly meta: number; readonly headers: number };
}

/** What was found, and which checks failed; the change is made if none did. */
export interface MetadataJudgement extends RestorableRow {
  readonly meta_fits: boolean;
  readonly headers_fit: boolean;
  readonly matches: boolean;
}

const BYTES_OF = (pairs: string) =>
  `(SELECT coalesce(sum(octet_length(pair.key) + octet_length(pair.value)), 0) FROM jsonb_each_text(${pairs}) AS pair)`;

// Everything is judged on the locked version, after waiting for the lock: no other change can come between.
const change = statement(
  'object-metadata',
  `WITH found AS MATERIALIZED (
     SELECT hash, fsize, put_time, mime_type, meta, headers, class, restore_ready_at, restore_ends_at
     FROM region.objects WHERE bucket_id = $1 AND key = $2 FOR UPDATE
   ), merged AS MATERIALIZED (
     SELECT class, region.restore_status(class, restore_ready_at, restore_ends_at) AS restore_status,
            (coalesce(meta, '{}') || $4::jsonb) - $5::text[] AS meta,
            (coalesce(headers, '{}') || $6::jsonb) - $7::text[] AS headers,
            ($10::text IS NULL OR hash = $10) AND ($11::text IS NULL OR mime_type = $11)
              AND ($12::bigint IS NULL OR fsize = $12) AND ($13::bigint IS NULL OR put_time = $13) AS matches
     FROM found
   ), judged AS MATERIALIZED (
     SELECT *, ${BYTES_OF('meta')} <= $8::int AS meta_fits, ${BYTES_OF('headers')} <= $9::int AS headers_fit
     FROM merged
   ), changed AS (
     UPDATE region.objects AS o
     SET mime_type = CASE WHEN $3::text IS NULL THEN o.mime_type WHEN $3 = '' THEN o.detected_type ELSE $3 END,
         meta = nullif(judged.meta, '{}'), headers = nullif(judged.headers, '{}')
     FROM judged
     WHERE o.bucket_id = $1 AND o.key = $2 AND coalesce(judged.restore_status, 2) = 2 
       AND judged.meta_fits AND judged.headers_fit AND judged.matches
   )
   SELECT class, restore_status, meta_fits, headers_fit, matches FROM judged`,
);

export class MetadataStore {
  readonly #region: Database;

  constructor(region: Database) {
    this.#region = region;
  }

  /** Undefined if there is no such object. */
  async change(update: MetadataUpdate): Promise<MetadataJudgement | undefined> {
    const { condition } = update;
    const [row] = await this.#region.query<MetadataJudgement>(change, [
      update.bucketId,
      update.key,
      update.mimeType ?? null,
      ...mergeValues(update.changes, 'meta'),
      ...mergeValues(update.changes, 'headers'),
      update.maxBytes.meta,
      update.maxBytes.headers,
      condition.hash ?? null,
      condition.mime ?? null,
      condition.fsize ?? null,
      condition.putTime ?? null,
    ]);
    return row;
  }
}

/** Pairs to set, as JSON, and names to remove (those with an empty value). */
function mergeValues(
  changes: readonly MetadataChange[],
  kind: MetadataChange['kind'],
): [set: string, remove: string[]] {
  const ours = changes.filter((each) => each.kind === kind);
  const set = ours.filter(({ value }) => value !== '').map(({ name, value }) => [name, value] as const);
  return [
    JSON.stringify(Object.fromEntries(set)),
    ours.filter(({ value }) => value === '').map(({ name }) => name),
  ];
}
