/** The public record of an object, as `stat` and lists show it. */
import {
  canonicalHeaderName,
  type Dialect,
  jsonNumber,
  type StorageClass,
  type WireRecord,
} from '@millpond/protocol';
import { unixSeconds } from '../../platform/web/index.ts';

/** The columns that make up a record. */
export const RECORDED_COLUMNS = `fsize, hash, mime_type, put_time, class, status, end_user, meta, headers, expires_at,
  to_ia_at, to_archive_at, to_deep_archive_at`;

/** Whether the object can be read now; for records of a single object. */
export const RESTORE_STATUS =
  'region.restore_status(class, restore_ready_at, restore_ends_at) AS restore_status';

export interface RecordedRow {
  readonly fsize: bigint;
  readonly hash: string;
  readonly mime_type: string;
  readonly put_time: bigint;
  readonly class: StorageClass;
  readonly status: number;
  readonly end_user: string | null;
  readonly meta: Record<string, string> | null;
  /** Response headers that the owner set, keyed by lower-case name. */
  readonly headers: Readonly<Record<string, string>> | null;
  readonly expires_at: Date | null;
  readonly to_ia_at: Date | null;
  readonly to_archive_at: Date | null;
  readonly to_deep_archive_at: Date | null;
  /** Absent in lists, which don't show it. */
  readonly restore_status?: number | null;
}

/** Custom metadata appears under the dialect's own name, `x-svc-meta`. */
export function objectRecord(
  row: RecordedRow,
  { metaPrefix }: Pick<Dialect, 'metaPrefix'>,
): WireRecord<'Object'> {
  return {
    fsize: Number(row.fsize),
    hash: row.hash,
    mimeType: row.mime_type,
    type: row.class,
    putTime: jsonNumber(row.put_time),
    status: row.status || undefined,
    restoreStatus: row.restore_status || undefined,
    endUser: row.end_user ?? undefined,
    expiration: secondsOf(row.expires_at),
    transitionToIA: secondsOf(row.to_ia_at),
    transitionToARCHIVE: secondsOf(row.to_archive_at),
    transitionToDeepArchive: secondsOf(row.to_deep_archive_at),
    [metaPrefix.slice(0, -1)]: row.meta ?? undefined,
    responseHeaders: row.headers === null ? undefined : shownHeaders(row.headers),
  };
}

function secondsOf(at: Date | null): number | undefined {
  return at === null ? undefined : unixSeconds(at);
}

function shownHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const pairs = Object.entries(headers).map(([name, value]) => [canonicalHeaderName(name), value]);
  return Object.fromEntries(pairs) as Record<string, string>;
}
