/** The public record of an object, as `stat` and lists show it. */
import {
  canonicalHeaderName,
  type Dialect,
  jsonNumber,
  type StorageClass,
  type WireRecord,
} from '@millpond/protocol';
import { unixSeconds } from '../../platform/web/index.ts';

/** The columns that make up a record, in the order of `listedRow`. */
export const RECORDED_COLUMNS = `fsize, hash, mime_type, put_time, class, status, end_user, meta, headers, expires_at,
  to_ia_at, to_archive_at, to_deep_archive_at`;

/** Whether the object can be read now, and from and until when. */
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
  readonly restore_status: number | null;
  readonly restore_ready_at: Date | null;
  readonly restore_ends_at: Date | null;
}

export interface ListedRow extends RecordedRow {
  readonly key: string;
}

/** From the values of `key`, RECORDED_COLUMNS and RESTORE_STATUS. */
export function listedRow(values: readonly unknown[]): ListedRow {
  return {
    key: values[0] as string,
    fsize: values[1] as bigint,
    hash: values[2] as string,
    mime_type: values[3] as string,
    put_time: values[4] as bigint,
    class: values[5] as StorageClass,
    status: values[6] as number,
    end_user: values[7] as string | null,
    meta: values[8] as RecordedRow['meta'],
    headers: values[9] as RecordedRow['headers'],
    expires_at: values[10] as Date | null,
    to_ia_at: values[11] as Date | null,
    to_archive_at: values[12] as Date | null,
    to_deep_archive_at: values[13] as Date | null,
    restore_status: values[14] as number | null,
    restore_ready_at: values[15] as Date | null,
    restore_ends_at: values[16] as Date | null,
  };
}

/** Custom metadata appears under the dialect's own name, `x-svc-meta`. */
export function objectRecord(row: RecordedRow, dialect: Pick<Dialect, 'metaPrefix'>): WireRecord<'Object'> {
  const record: Draft = {
    fsize: Number(row.fsize),
    hash: row.hash,
    mimeType: row.mime_type,
    type: row.class,
    putTime: jsonNumber(row.put_time),
  };
  addRest(record, row, dialect);
  return record;
}

export function listedRecord(
  row: ListedRow,
  dialect: Pick<Dialect, 'metaPrefix'>,
): WireRecord<'ListedObject'> {
  const record: Draft & { key: string } = {
    key: row.key,
    fsize: Number(row.fsize),
    hash: row.hash,
    mimeType: row.mime_type,
    type: row.class,
    putTime: jsonNumber(row.put_time),
  };
  addRest(record, row, dialect);
  return record;
}

/** By `region.restore_status`. */
const BEING_RESTORED = 1;

type Draft = { -readonly [Field in keyof WireRecord<'Object'>]: WireRecord<'Object'>[Field] };

/**
 * What most objects don't have. It is left out rather than undefined, and added rather than spread: lists print records by the
 * thousand, and both would cost a third more.
 */
function addRest(record: Draft, row: RecordedRow, { metaPrefix }: Pick<Dialect, 'metaPrefix'>): void {
  if (row.status !== 0) record.status = row.status;
  if (row.restore_status) Object.assign(record, restoreFields(row, row.restore_status));
  if (row.end_user !== null) record.endUser = row.end_user;
  if (row.expires_at !== null) record.expiration = unixSeconds(row.expires_at);
  if (row.to_ia_at !== null) record.transitionToIA = unixSeconds(row.to_ia_at);
  if (row.to_archive_at !== null) record.transitionToARCHIVE = unixSeconds(row.to_archive_at);
  if (row.to_deep_archive_at !== null) record.transitionToDeepArchive = unixSeconds(row.to_deep_archive_at);
  if (row.meta !== null) Object.assign(record, { [metaPrefix.slice(0, -1)]: row.meta });
  if (row.headers !== null) record.responseHeaders = shownHeaders(row.headers);
}

function restoreFields(
  { restore_ready_at: ready, restore_ends_at: ends }: RecordedRow,
  restoreStatus: number,
): Pick<WireRecord<'Object'>, 'restoreStatus' | 'restoreReady' | 'restoreEnds' | 'waitingFor'> {
  const until = ready?.toISOString();
  return {
    restoreStatus,
    ...(restoreStatus === BEING_RESTORED && until !== undefined
      ? { waitingFor: { reason: 'time', text: `its restore, which is ready at ${until}`, until } }
      : {}),
    ...(ready ? { restoreReady: unixSeconds(ready) } : {}),
    ...(ends ? { restoreEnds: unixSeconds(ends) } : {}),
  };
}

function shownHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const pairs = Object.entries(headers).map(([name, value]) => [canonicalHeaderName(name), value]);
  return Object.fromEntries(pairs) as Record<string, string>;
}
