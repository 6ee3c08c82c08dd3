/** The path of mkfile: a size, then pairs of name and Base64 value in any order. */
import { decodeBase64Text, decodeKey, encodeBase64Text, Fault, parseEntry } from '@millpond/protocol';
import { givenMetadata } from '../given-metadata.ts';

export interface MkfileRequest {
  readonly fsize: number;
  readonly key: string | undefined;
  readonly fname: string | undefined;
  readonly mimeType: string | undefined;
  readonly customVars: Readonly<Record<string, string>>;
  readonly metadata: Readonly<Record<string, string>>;
}

/** Some clients write the type's name in lower case. */
const NAMES = new Map([
  ['mimeType', 'mimeType'],
  ['mimetype', 'mimeType'],
  ['fname', 'fname'],
] as const);

export function readMkfile(segments: readonly string[], metaPrefix: string): MkfileRequest {
  const [size = '', ...rest] = segments;
  if (!/^\d{1,15}$/.test(size) || rest.length % 2 !== 0)
    throw invalid('the path must be /mkfile/<size>/<name>/<value>…');
  const request = {
    fsize: Number(size),
    key: undefined as string | undefined,
    fname: undefined as string | undefined,
    mimeType: undefined as string | undefined,
  };
  const customVars: [string, string][] = [];
  const metadata: [string, string][] = [];
  const seen = new Set<string>();
  for (let i = 0; i < rest.length; i += 2) {
    const [name = '', value = ''] = rest.slice(i, i + 2);
    const known = NAMES.get(name as 'fname');
    if (seen.has(known ?? name)) throw invalid(`${printable(known ?? name)} is given twice`);
    seen.add(known ?? name);
    if (name === 'key') request.key = decodeKey(value);
    else if (known !== undefined) request[known] = textOf(value, name);
    else if (name.startsWith('x:')) customVars.push([name, textOf(value, name)]);
    else if (name.toLowerCase().startsWith(metaPrefix)) metadata.push([name, textOf(value, name)]);
    else throw invalid(`${printable(name)} is not a part of this path`);
  }
  return {
    ...request,
    // Assigned one by one, a name such as `__proto__` would be lost.
    customVars: Object.fromEntries(customVars),
    metadata: givenMetadata(metadata, metaPrefix),
  };
}

/** The same of `/rs-mkfile/<EncodedEntry>/fsize/<size>/…`, which the SDK for Ruby asks, and the bucket that it names. */
export function mkfileSegments([entry = '', word, size = '', ...pairs]: readonly string[]): {
  readonly bucket: string;
  readonly segments: readonly string[];
} {
  const { bucket, key } = parseEntry(entry);
  if (word !== 'fsize') throw invalid('the path must be /rs-mkfile/<EncodedEntry>/fsize/<size>/…');
  return { bucket, segments: [size, ...(key === undefined ? [] : ['key', encodeBase64Text(key)]), ...pairs] };
}

function textOf(encoded: string, name: string): string {
  return decodeBase64Text(encoded, () => invalid(`${name} is not UTF-8`));
}

function printable(name: string): string {
  return JSON.stringify(name.slice(0, 40));
}

function invalid(hint: string): Fault {
  return new Fault('invalidArgument', { hint });
}
