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

/** Whether the object can be read now, and from and until when; for records of a single object. */
export const RESTORE_STATUS =
  'region.restore_status(class, restore_ready_at, restore_ends_at) AS restore_status, restore_ready_at, restore_ends_at';

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
  /** Absent in lists, which don't show them. */
  readonly restore_status?: number | null;
  readonly restore_ready_at?: Date | null;
  readonly restore_ends_at?: Date | null;
}

/**
 * Custom metadata appears under the dialect's own name, `x-svc-meta`. What is absent is left out rather than undefined: lists
 * print these by the thousand, and undefined fields would cost a third more.
 */
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
    ...(row.status === 0 ? {} : { status: row.status }),
    ...(row.restore_status ? restoreFields(row, row.restore_status) : {}),
    ...(row.end_user === null ? {} : { endUser: row.end_user }),
    ...(row.expires_at === null ? {} : { expiration: unixSeconds(row.expires_at) }),
    ...(row.to_ia_at === null ? {} : { transitionToIA: unixSeconds(row.to_ia_at) }),
    ...(row.to_archive_at === null ? {} : { transitionToARCHIVE: unixSeconds(row.to_archive_at) }),
    ...(row.to_deep_archive_at === null
      ? {}
      : { transitionToDeepArchive: unixSeconds(row.to_deep_archive_at) }),
    ...(row.meta === null ? {} : { [metaPrefix.slice(0, -1)]: row.meta }),
    ...(row.headers === null ? {} : { responseHeaders: shownHeaders(row.headers) }),
  };
}

function restoreFields(
  { restore_ready_at: ready, restore_ends_at: ends }: RecordedRow,
  restoreStatus: number,
): Pick<WireRecord<'Object'>, 'restoreStatus' | 'restoreReady' | 'restoreEnds'> {
  return {
    restoreStatus,
    ...(ready ? { restoreReady: unixSeconds(ready) } : {}),
    ...(ends ? { restoreEnds: unixSeconds(ends) } : {}),
  };
}

function shownHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const pairs = Object.entries(headers).map(([name, value]) => [canonicalHeaderName(name), value]);
  return Object.fromEntries(pairs) as Record<string, string>;
}
