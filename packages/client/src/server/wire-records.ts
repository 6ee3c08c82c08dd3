/** Object records as they come: the metadata stands under the dialect's own word. */
import type { Dialect } from '@millpond/protocol';

const NO_HEADERS = Object.freeze({});

/** In place: lists have millions of them. */
export function withMetadata<T>(record: Record<string, unknown>, { metaPrefix }: Dialect): T {
  const word = metaPrefix.slice(0, -1);
  record.metadata = record[word] ?? {};
  if (word in record) delete record[word];
  record.responseHeaders ??= NO_HEADERS;
  return record as T;
}
