/** The public record of an object, as `stat` and lists show it. */
import { jsonNumber } from '@millpond/protocol';

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
}

export interface ObjectRecord {
  readonly fsize: number;
  readonly hash: string;
  readonly mimeType: string;
  readonly type: number;
  /** Prints as a number with all its digits. */
  readonly putTime: object;
  readonly status?: number;
  readonly endUser?: string;
}

export function objectRecord(row: RecordedRow): ObjectRecord {
  return {
    fsize: Number(row.fsize),
    hash: row.hash,
    mimeType: row.mime_type,
    type: row.class,
    putTime: jsonNumber(row.put_time),
    ...(row.status === 0 ? {} : { status: row.status }),
    ...(row.end_user === null ? {} : { endUser: row.end_user }),
  };
}
