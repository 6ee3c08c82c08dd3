/** The public record of an object, as `stat` and lists show it. */
import { type Dialect, jsonNumber } from '@millpond/protocol';

/** The columns that records are made of. */
export interface RecordedRow {
  readonly fsize: bigint;
  readonly hash: string;
  readonly mime_type: string;
  readonly put_time: bigint;
  readonly class: number;
  readonly status: number;
  readonly end_user: string | null;
  readonly meta: Record<string, string> | null;
  readonly expires_at: Date | null;
  /** Absent in lists, which don't show it. */
  readonly restore_status?: number | null;
}

export interface ObjectRecord {
  readonly fsize: number;
  readonly hash: string;
  readonly mimeType: string;
  readonly type: number;
  /** Prints as a number with all its digits. */
  readonly putTime: object;
  readonly status?: number;
  /** 1 restoring, 2 restored; absent while frozen, and for classes that never are. */
  readonly restoreStatus?: number;
  readonly endUser?: string;
  /** Unix seconds: when the object goes by itself. */
  readonly expiration?: number;
}

/** The custom metadata stands under the dialect's own word, `x-svc-meta`. */
export function objectRecord(row: RecordedRow, { metaPrefix }: Pick<Dialect, 'metaPrefix'>): ObjectRecord {
  return {
    fsize: Number(row.fsize),
    hash: row.hash,
    mimeType: row.mime_type,
    type: row.class,
    putTime: jsonNumber(row.put_time),
    ...(row.status === 0 ? {} : { status: row.status }),
    ...(row.restore_status ? { restoreStatus: row.restore_status } : {}),
    ...(row.end_user === null ? {} : { endUser: row.end_user }),
    ...(row.expires_at === null ? {} : { expiration: Math.floor(row.expires_at.getTime() / 1000) }),
    ...(row.meta === null ? {} : { [metaPrefix.slice(0, -1)]: row.meta }),
  };
}
