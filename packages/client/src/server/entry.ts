/** An object's name as used in calls. */
import { formatEntry } from '@millpond/protocol';
import { asUsageError } from '../core/usage-error.ts';

export function entryOf(bucket: string, key?: string): string {
  return asUsageError(() => formatEntry(bucket, key));
}
