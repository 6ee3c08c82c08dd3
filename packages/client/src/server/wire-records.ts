/** Object records as received: the metadata is under the dialect's own field name. */
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
