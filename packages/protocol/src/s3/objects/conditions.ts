/** Conditions on objects that are read or copied, in S3's order of precedence, and ranges of them: neither is quite as in HTTP. */
import { parseHttpDate } from '../../http/date.ts';
import { parseRange, type RangeResult } from '../../http/range.ts';
import { parseEtagList } from './etag.ts';

export interface ReadValidators {
  /** Without quotes. */
  readonly etag: string;
  /** Unix time in whole seconds. */
  readonly lastModified: number;
}

/** By lower-case name. */
export type HeaderOf = (name: string) => string | undefined;

export type PreconditionResult =
  | { readonly status: 200 }
  | { readonly status: 304 }
  | { readonly status: 412; readonly condition: string };

const PROCEED: PreconditionResult = { status: 200 };

/** For GET and HEAD. `now` in milliseconds: a date to come says nothing about changes since. */
export function evaluateReadConditions(
  header: HeaderOf,
  { etag, lastModified }: ReadValidators,
  now: number = Date.now(),
): PreconditionResult {
  const ifMatch = header('if-match');
  const unmodified = dateIn(header('if-unmodified-since'));
  if (ifMatch !== undefined) {
    if (!matches(ifMatch, etag)) return { status: 412, condition: 'If-Match' };
  } else if (unmodified !== undefined && lastModified > unmodified) {
    return { status: 412, condition: 'If-Unmodified-Since' };
  }
  const ifNoneMatch = header('if-none-match');
  if (ifNoneMatch !== undefined) return matches(ifNoneMatch, etag) ? { status: 304 } : PROCEED;
  const modified = dateIn(header('if-modified-since'));
  const isPast = modified !== undefined && modified * 1000 <= now;
  return isPast && lastModified <= modified ? { status: 304 } : PROCEED;
}

/** The name of the condition on the source of a copy that does not hold; undefined if all do. */
export function failedCopyCondition(
  header: HeaderOf,
  { etag, lastModified }: ReadValidators,
  now: number = Date.now(),
): string | undefined {
  const named = (name: string) => `x-amz-copy-source-${name}`;
  const judged = evaluateReadConditions((name) => header(named(name)), { etag, lastModified }, now);
  if (judged.status === 200) return undefined;
  if (judged.status === 412) return named(judged.condition.toLowerCase());
  return header(named('if-none-match')) === undefined ? named('if-modified-since') : named('if-none-match');
}

/** The range that a request asks of an object: as HTTP, but any range of an empty object is 416. */
export function rangeOf(header: string | undefined, size: number): RangeResult {
  if (size > 0) return parseRange(header, size);
  return parseRange(header, 1).kind === 'whole' ? { kind: 'whole' } : { kind: 'unsatisfiable' };
}

function matches(header: string, etag: string): boolean {
  const etags = parseEtagList(header);
  return etags === '*' || etags.includes(etag);
}

function dateIn(text: string | undefined): number | undefined {
  return text === undefined ? undefined : parseHttpDate(text.trim());
}
