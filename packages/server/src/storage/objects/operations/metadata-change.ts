/**
 * The path of a metadata change: `/chgm/<EncodedEntryURI>`, then pairs of segments in any order: `mime/<type>`,
 * `<meta prefix><name>/<value>`, repeated for each name (`<meta prefix>!<name>` for a response header),
 * `cond/<condition>`. Each value is URL-safe Base64.
 */
import {
  type Condition,
  type Dialect,
  decodeBase64Text,
  Fault,
  type MetadataChange,
  type ObjectEntry,
  parseCondition,
  parseObjectEntry,
  responseHeaderName,
  validateMimeType,
} from '@millpond/protocol';
import { readMetadataPair } from './response-headers.ts';

export interface MetadataRequest {
  readonly entry: ObjectEntry;
  /** Undefined: unchanged. Empty: the type detected at upload. */
  readonly mimeType: string | undefined;
  readonly changes: readonly MetadataChange[];
  readonly condition: Condition;
}

export function readMetadataRequest(
  segments: readonly string[],
  dialect: Pick<Dialect, 'metaPrefix' | 'setsOtherHeaders'>,
): MetadataRequest {
  const [encodedEntry, ...rest] = segments;
  if (encodedEntry === undefined) throw invalidMetadataChange('the path must be /chgm/<EncodedEntryURI>/…');
  const entry = parseObjectEntry(encodedEntry);
  const changes = new Map<string, MetadataChange>();
  let mimeType: string | undefined;
  let condition: Condition | undefined;
  for (const [name, value] of pairsOf(rest)) {
    if (name === 'mime') {
      if (mimeType !== undefined) throw invalidMetadataChange('mime is given twice');
      mimeType = readMimeType(value);
    } else if (name === 'cond') {
      if (condition !== undefined) throw invalidMetadataChange('cond is given twice');
      condition = parseCondition(decodeBase64Text(value));
    } else if (name.toLowerCase().startsWith(dialect.metaPrefix)) {
      const change = readMetadataPair(
        name.slice(dialect.metaPrefix.length),
        decodeBase64Text(value),
        dialect,
      );
      const id = `${change.kind}:${change.name}`;
      if (changes.has(id)) throw invalidMetadataChange(`the metadata name ${change.name} is given twice`);
      changes.set(id, change);
    } else {
      throw invalidMetadataChange(segmentsHint(name, dialect));
    }
  }
  if (mimeType === undefined && changes.size === 0)
    throw invalidMetadataChange('give a type or metadata to change');
  return { entry, mimeType, changes: [...changes.values()], condition: condition ?? {} };
}

/** If the client wrote a plain header name, the hint shows how to write it here. */
function segmentsHint(name: string, { metaPrefix }: Pick<Dialect, 'metaPrefix'>): string {
  const header = responseHeaderName(name);
  if (header !== undefined) return `a response header must be written ${metaPrefix}!${header}`;
  return `the segments must be mime, ${metaPrefix}<name>, ${metaPrefix}!<response header> and cond, each with a value`;
}

/** An empty value at the end of the path may be followed by a slash: `/mime//`. */
function* pairsOf(segments: readonly string[]): Generator<readonly [string, string]> {
  const even = segments.length % 2 === 1 && segments.at(-1) === '' ? segments.slice(0, -1) : segments;
  if (even.length % 2 === 1) throw invalidMetadataChange('a segment has no value');
  for (let at = 0; at < even.length; at += 2) yield [even[at] ?? '', even[at + 1] ?? ''];
}

function readMimeType(encoded: string): string {
  const text = decodeBase64Text(encoded, () => new Fault('invalidMimeType'));
  validateMimeType(text);
  return text;
}

function invalidMetadataChange(hint: string): Fault {
  return new Fault('invalidArgument', { hint });
}
