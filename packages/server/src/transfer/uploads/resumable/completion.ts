/** The JSON body that completes an upload in parts, parsed strictly. */
import { decodeJson, Fault, MAX_PARTS } from '@millpond/protocol';
import { givenMetadata } from '../given-metadata.ts';

export interface CompletionRequest {
  readonly parts: readonly { readonly partNumber: number; readonly etag: string }[];
  readonly fname: string | undefined;
  readonly mimeType: string | undefined;
  /** Keyed by the name after the dialect's prefix. */
  readonly metadata: Readonly<Record<string, string>>;
  /** Keyed by full name, `x:name`. */
  readonly customVars: Readonly<Record<string, string>>;
}

const MAX_ENTRIES = 64;

export function readCompletion(body: Uint8Array, metaPrefix: string): CompletionRequest {
  const value = parse(body);
  const metadata = texts(value, 'metadata');
  if (Object.keys(metadata).some((name) => !name.toLowerCase().startsWith(metaPrefix)))
    throw invalid(`metadata names must begin with ${metaPrefix}`);
  return {
    parts: readParts(value.parts),
    fname: optionalText(value, 'fname'),
    mimeType: optionalText(value, 'mimeType'),
    metadata: givenMetadata(Object.entries(metadata), metaPrefix),
    customVars: Object.fromEntries(
      Object.entries(texts(value, 'customVars')).filter(([name]) => name.startsWith('x:')),
    ),
  };
}

function parse(body: Uint8Array): Record<string, unknown> {
  const value = decodeJson(body);
  if (value === undefined) throw invalid('the body is not JSON in UTF-8');
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalid('the body is not a JSON object');
  return value as Record<string, unknown>;
}

/** Ascending, no duplicates; gaps are allowed. */
function readParts(value: unknown): CompletionRequest['parts'] {
  if (!Array.isArray(value) || value.length === 0 || value.length > MAX_PARTS)
    throw invalid(`parts must be a list of 1 to ${MAX_PARTS}`);
  let last = 0;
  return value.map((part: unknown) => {
    const { partNumber, etag } = (typeof part === 'object' && part !== null ? part : {}) as {
      partNumber?: unknown;
      etag?: unknown;
    };
    if (typeof partNumber !== 'number' || !Number.isInteger(partNumber) || typeof etag !== 'string') {
      throw invalid('a part must have a partNumber and an etag');
    }
    if (partNumber <= last) throw invalid('parts must be in ascending order of partNumber');
    last = partNumber;
    return { partNumber, etag };
  });
}

function optionalText(value: Record<string, unknown>, name: string): string | undefined {
  const text = value[name];
  if (text === undefined || text === null || text === '') return undefined;
  if (typeof text !== 'string' || !text.isWellFormed()) throw invalid(`${name} must be a string`);
  return text;
}

function texts(value: Record<string, unknown>, name: string): Record<string, string> {
  const entries = value[name] ?? {};
  if (typeof entries !== 'object' || Array.isArray(entries))
    throw invalid(`${name} must be an object of strings`);
  const pairs = Object.entries(entries as object);
  if (
    pairs.length > MAX_ENTRIES ||
    pairs.some(([, text]) => typeof text !== 'string' || !text.isWellFormed())
  ) {
    throw invalid(`${name} must be an object of at most ${MAX_ENTRIES} strings`);
  }
  return Object.fromEntries(pairs) as Record<string, string>;
}

function invalid(hint: string): Fault {
  return new Fault('invalidArgument', { hint });
}
