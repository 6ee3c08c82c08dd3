/** Work on many objects as the interface shows it. */
import type { WireRecord } from '@millpond/protocol';
import type { BulkRow } from './bulk.store.ts';

export function bulkRecord(row: BulkRow): WireRecord<'Bulk'> {
  return {
    id: row.bulk_id,
    kind: row.kind,
    bucket: row.bucket,
    // With named keys it may only be the empty beginning of all of them.
    prefix: row.keys !== null && row.prefix === '' ? undefined : row.prefix,
    keys: row.keys ?? undefined,
    ...row.request,
    state: row.state,
    done: Number(row.done),
    failed: Number(row.failed),
    bytes: Number(row.bytes),
    of: row.expected === null ? undefined : Number(row.expected),
    current: row.current ?? undefined,
    created: row.created_at.toISOString(),
    begun: row.begun_at?.toISOString(),
    ended: row.ended_at?.toISOString(),
    words: row.words ?? undefined,
    problems: row.problems,
    accessKey: row.access_key ?? undefined,
  };
}
