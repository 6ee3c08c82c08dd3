/** Metadata given with an upload, among its other fields: keyed by the name after the dialect's prefix. */
import { Fault } from '@millpond/protocol';

/** Names are case-insensitive; a duplicate name is refused, so that none is lost silently. */
export function givenMetadata(
  fields: Iterable<readonly [string, string]>,
  metaPrefix: string,
): Record<string, string> {
  const found = new Map<string, readonly [string, string]>();
  for (const [name, value] of fields) {
    const lower = name.toLowerCase();
    if (!lower.startsWith(metaPrefix)) continue;
    if (found.has(lower))
      throw new Fault('invalidArgument', { hint: `${JSON.stringify(lower.slice(0, 64))} is given twice` });
    found.set(lower, [name.slice(metaPrefix.length), value]);
  }
  // Assigned one by one, a name such as `__proto__` would be lost.
  return Object.fromEntries(found.values());
}
