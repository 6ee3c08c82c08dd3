/** Which keys a walk must visit: those under the prefixes of rules, each once, in byte order. */
import type { BucketLifecycle } from '../buckets/index.ts';
import { endOfPrefix } from '../objects/index.ts';
import type { KeyRange } from './lifecycle.store.ts';

/** The prefixes of rules that do something to objects. */
export function walkedPrefixes(lifecycle: BucketLifecycle): string[] {
  if (lifecycle.by === 'prefix') return lifecycle.rules.map(({ prefix }) => prefix);
  return lifecycle.rules
    .filter(
      ({ isEnabled, expiration, transitions }) => isEnabled && (expiration ?? transitions) !== undefined,
    )
    .map(({ scope }) => scope.prefix ?? '');
}

export function rangesOf(prefixes: readonly string[]): KeyRange[] {
  const ranges: KeyRange[] = [];
  for (const prefix of prefixes.toSorted(inByteOrder)) {
    const last = ranges.at(-1);
    // In byte order a prefix comes right before the prefixes it covers.
    if (last !== undefined && prefix.startsWith(last.from)) continue;
    ranges.push({ from: prefix, until: endOfPrefix(prefix) });
  }
  return ranges;
}

/** The rest of the first range that extends past a key; undefined if none does. */
export function rangeFrom(ranges: readonly KeyRange[], key: string): KeyRange | undefined {
  const range = ranges.find(({ until }) => inByteOrder(key, until) < 0);
  if (range === undefined) return undefined;
  return inByteOrder(key, range.from) > 0 ? { ...range, from: key } : range;
}

function inByteOrder(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}
