/**
 * Custom metadata of objects: names, values, and merging a change into the existing metadata. Names are kept in lower
 * case. A name that begins with `!` is not metadata but a response header that downloads carry; it has its own rules
 * and limit.
 */
import { Fault } from './errors/fault.ts';
import { MAX_RESPONSE_HEADERS_BYTES, pairsBytes, responseHeaderProblem } from './http/response-headers.ts';
import { MAX_META_NAME_BYTES, MAX_METADATA_BYTES } from './limits/limits.ts';
import { hasMimeCharacters } from './mime/type.ts';

export interface Metadata {
  /** By name, without the dialect's prefix. */
  readonly meta: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
}

export interface MetadataName {
  readonly kind: keyof Metadata;
  readonly name: string;
}

/** An empty value removes the name. */
export interface MetadataChange extends MetadataName {
  readonly value: string;
}

export const EMPTY_METADATA: Metadata = { meta: {}, headers: {} };

/** `name` is what follows the prefix (`x-svc-meta-`) in a path, a form field or a header. */
export function parseMetadataName(name: string): MetadataName {
  const isHeader = name.startsWith('!');
  const bare = isHeader ? name.slice(1) : name;
  const pattern = isHeader ? /^[A-Za-z0-9-]+$/ : /^[A-Za-z0-9_-]+$/;
  if (bare.length > MAX_META_NAME_BYTES || !pattern.test(bare)) {
    throw invalidMetadata(`a metadata name must be 1 to ${MAX_META_NAME_BYTES} letters, digits, _ or -`);
  }
  return { kind: isHeader ? 'headers' : 'meta', name: bare.toLowerCase() };
}

export function parseMetadataChange(name: string, value: string): MetadataChange {
  const parsed = parseMetadataName(name);
  if (parsed.kind === 'headers') {
    const fault = value === '' ? undefined : responseHeaderProblem(parsed.name, value);
    if (fault !== undefined) throw invalidMetadata(fault);
  } else if (!hasMimeCharacters(value))
    throw invalidMetadata('a metadata value contains a character that is not allowed');
  return { ...parsed, value };
}

/** The size limit applies to the result: call it with the metadata of the row that is being changed. */
export function mergeMetadata(current: Metadata, changes: readonly MetadataChange[]): Metadata {
  const merged = {
    meta: new Map(Object.entries(current.meta)),
    headers: new Map(Object.entries(current.headers)),
  };
  const seen = new Set<string>();
  for (const { kind, name, value } of changes) {
    const id = `${kind}:${name}`;
    if (seen.has(id)) throw invalidMetadata(`the metadata name ${name} is given twice`);
    seen.add(id);
    if (value === '') merged[kind].delete(name);
    else merged[kind].set(name, value);
  }
  // From maps and not by assignment: `__proto__` is a legal name.
  const result = { meta: Object.fromEntries(merged.meta), headers: Object.fromEntries(merged.headers) };
  checkMetadataSizes(result);
  return result;
}

/** By kind: what exceeds the limit, and why. */
export const metadataLimits = {
  meta: {
    maxBytes: MAX_METADATA_BYTES,
    hint: `the metadata of an object must be at most ${MAX_METADATA_BYTES} bytes, names and values together`,
  },
  headers: {
    maxBytes: MAX_RESPONSE_HEADERS_BYTES,
    hint: `the response headers of an object must be at most ${MAX_RESPONSE_HEADERS_BYTES} bytes, names and values together`,
  },
} as const;

function checkMetadataSizes(metadata: Metadata): void {
  for (const kind of ['meta', 'headers'] as const) {
    const { maxBytes, hint } = metadataLimits[kind];
    if (pairsBytes(metadata[kind]) > maxBytes) throw invalidMetadata(hint);
  }
}

function invalidMetadata(hint: string): Fault {
  return new Fault('invalidArgument', { hint });
}
