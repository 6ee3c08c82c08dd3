/** The range that a request asks of an object. */
import { parseRange, type RangeResult } from '../../http/range.ts';

/** As everywhere, but that no range of an empty object can be given. */
export function rangeOf(header: string | undefined, size: number): RangeResult {
  if (size > 0) return parseRange(header, size);
  return parseRange(header, 1).kind === 'whole' ? { kind: 'whole' } : { kind: 'unsatisfiable' };
}
