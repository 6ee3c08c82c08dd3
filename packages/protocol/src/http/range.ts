/** The Range header for a single range. Several ranges, other units and bad syntax are ignored, as RFC 9110 allows. */
export type RangeResult =
  | { readonly kind: 'whole' }
  /** Both ends are included. */
  | { readonly kind: 'part'; readonly first: number; readonly last: number }
  | { readonly kind: 'unsatisfiable' };

const WHOLE: RangeResult = { kind: 'whole' };

export function parseRange(header: string | undefined, size: number): RangeResult {
  const match = header === undefined ? null : /^bytes=(\d{0,100})-(\d{0,100})$/i.exec(header.trim());
  if (match === null) return WHOLE;
  const [, first = '', last = ''] = match;
  if (first === '') return last === '' ? WHOLE : suffix(BigInt(last), size);
  // A last byte before the first one makes the header invalid, not unsatisfiable.
  if (last !== '' && BigInt(last) < BigInt(first)) return WHOLE;
  if (BigInt(first) >= BigInt(size)) return { kind: 'unsatisfiable' };
  return {
    kind: 'part',
    first: Number(first),
    last: last === '' ? size - 1 : smaller(BigInt(last), size - 1),
  };
}

function suffix(length: bigint, size: number): RangeResult {
  if (length === 0n) return { kind: 'unsatisfiable' };
  // The last bytes of nothing are nothing, and no Content-Range can express that.
  if (size === 0) return WHOLE;
  return { kind: 'part', first: size - smaller(length, size), last: size - 1 };
}

function smaller(value: bigint, limit: number): number {
  return value < BigInt(limit) ? Number(value) : limit;
}

export function formatContentRange(
  range: { readonly first: number; readonly last: number },
  size: number,
): string {
  return `bytes ${range.first}-${range.last}/${size}`;
}
