/**
 * Which of the objects that were found work on many is about, and what its submitter was allowed to do with them: by the limits of
 * the key at the time of submission.
 */
import { accessDenial, Fault } from '@millpond/protocol';
import { bulkPermissions } from './bulk.request.ts';
import type { RunningBulkRow } from './bulk.store.ts';

/** Why it may not be done with this object. */
export function keyLimitFault(row: RunningBulkRow, key: string): Fault | undefined {
  const { limits, kind, bucket, prefix, request: how, address, created_at } = row;
  if (limits === null) return undefined;
  const use = { address, now: created_at.getTime() };
  for (const asked of bulkPermissions({ kind, bucket, prefix, keys: [key], how })) {
    const refusal = accessDenial(limits, asked, use);
    if (refusal !== undefined) return new Fault('keyLimited', { hint: refusal });
  }
  return undefined;
}

/** Skip objects written after submission unless listed by key. */
export function isInScope(
  { keys, as_of }: RunningBulkRow,
  { put_time }: { readonly put_time: bigint },
): boolean {
  return keys !== null || put_time <= as_of;
}
