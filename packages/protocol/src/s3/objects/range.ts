/** The range that a request asks of an object. */
import { parseRange, type RangeResult } from '../../http/range.ts';

/** As HTTP, but any range of an empty object is 416. */
export function rangeOf(header: string | undefined, size: number): RangeResult {
  if (size > 0) return parseRange(header, size);
  return parseRange(header, 1).kind === 'whole' ? { kind: 'whole' } : { kind: 'unsatisfiable' };
}
