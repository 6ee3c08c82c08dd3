/** Conditional requests by entity tag and date, in RFC 9110's order of precedence. */
import { parseHttpDate } from './date.ts';

export interface Validators {
  /** With its quotes, as in the ETag header. */
  readonly etag: string;
  /** Unix time in whole seconds. */
  readonly lastModified: number;
}

/** Header values as received. */
export interface ConditionalHeaders {
  readonly ifMatch?: string | undefined;
  readonly ifNoneMatch?: string | undefined;
  readonly ifModifiedSince?: string | undefined;
  readonly ifUnmodifiedSince?: string | undefined;
}

export type ConditionalResult = 'proceed' | 'notModified' | 'preconditionFailed';

const MAX_HEADER_LENGTH = 8192;
const ENTITY_TAG = /[\s,]*(W\/)?("[\x21\x23-\x7e\x80-\xff]*")\s*(?=,|$)/y;

export function formatEntityTag(hash: string): string {
  return `"${hash}"`;
}

/** For GET and HEAD of an object that exists. */
export function evaluatePreconditions(
  headers: ConditionalHeaders,
  validators: Validators,
): ConditionalResult {
  const { ifMatch, ifNoneMatch, ifModifiedSince, ifUnmodifiedSince } = headers;
  if (ifMatch !== undefined) {
    if (!matchesEntityTag(ifMatch, validators.etag, 'strong')) return 'preconditionFailed';
  } else if (ifUnmodifiedSince !== undefined) {
    const since = parseHttpDate(ifUnmodifiedSince);
    if (since !== undefined && validators.lastModified > since) return 'preconditionFailed';
  }
  if (ifNoneMatch !== undefined) {
    return matchesEntityTag(ifNoneMatch, validators.etag, 'weak') ? 'notModified' : 'proceed';
  }
  const since = ifModifiedSince === undefined ? undefined : parseHttpDate(ifModifiedSince);
  return since !== undefined && validators.lastModified <= since ? 'notModified' : 'proceed';
}

/** True: the Range header applies. A date must be exactly the same second. */
export function evaluateIfRange(ifRange: string | undefined, validators: Validators): boolean {
  if (ifRange === undefined) return true;
  const value = ifRange.trim();
  if (value.endsWith('"')) return value === validators.etag && !value.startsWith('W/');
  return parseHttpDate(value) === validators.lastModified;
}

/** `*` matches anything; a malformed list matches only what precedes the fault. */
export function matchesEntityTag(header: string, etag: string, comparison: 'strong' | 'weak'): boolean {
  if (header.trim() === '*') return true;
  if (header.length > MAX_HEADER_LENGTH) return false;
  const weakEtag = etag.startsWith('W/');
  if (comparison === 'strong' && weakEtag) return false;
  const opaque = weakEtag ? etag.slice(2) : etag;
  ENTITY_TAG.lastIndex = 0;
  for (let match = ENTITY_TAG.exec(header); match !== null; match = ENTITY_TAG.exec(header)) {
    const weak = match[1] !== undefined;
    if (match[2] === opaque && !(weak && comparison === 'strong')) return true;
  }
  return false;
}
