/** Object records as they come: the metadata stands under the dialect's own word. */
import type { Dialect } from '@millpond/protocol';

export function withMetadata<T>(record: Readonly<Record<string, unknown>>, { metaPrefix }: Dialect): T {
  const word = metaPrefix.slice(0, -1);
  const { [word]: metadata = {}, ...rest } = record;
  return { ...rest, metadata } as T;
}
