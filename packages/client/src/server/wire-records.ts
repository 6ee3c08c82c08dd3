/** Object records as they come: the metadata stands under the dialect's own word. */
import type { Dialect } from '@millpond/protocol';

/** In place: lists have millions of them. */
export function withMetadata<T>(record: Record<string, unknown>, { metaPrefix }: Dialect): T {
  const word = metaPrefix.slice(0, -1);
  record.metadata = record[word] ?? {};
  if (word in record) delete record[word];
  return record as T;
}
