/** The head of a request as signatures see it: raw bytes, nothing resolved, nothing dropped. */
import { canonicalEscapes, decodeEscapes, isUnreserved } from '../encodings.ts';

export interface S3Request {
  readonly method: string;
  /** As it was received, not decoded. */
  readonly path: string;
  /** What follows the `?`, not decoded. */
  readonly query: string | undefined;
  /** Names and values in turn, as Node's `rawHeaders`: its `headers` drop duplicates of some names. */
  readonly rawHeaders: readonly string[];
  /** The bucket that the host names, if it does; only signatures of version 2 contain it. */
  readonly bucketOfHost?: string | undefined;
}

/** Byte strings: one byte per character. */
export interface Parameter {
  readonly name: string;
  readonly value: string;
  /** `?acl`, not `?acl=`. */
  readonly bare: boolean;
  /** As they are signed. */
  readonly escapedName: string;
  readonly escapedValue: string;
}

export interface RequestHead extends S3Request {
  readonly parameters: readonly Parameter[];
  /** By name in lower case: the values as they are signed, several of one name joined. */
  readonly headers: ReadonlyMap<string, string>;
}

export function readRequestHead(request: S3Request): RequestHead {
  return { ...request, parameters: parametersOf(request.query), headers: headersOf(request.rawHeaders) };
}

function parametersOf(query: string | undefined): Parameter[] {
  const parameters: Parameter[] = [];
  if (query === undefined || query === '') return parameters;
  for (const field of query.split('&')) {
    if (field === '') continue;
    const equals = field.indexOf('=');
    const name = equals < 0 ? field : field.slice(0, equals);
    const value = equals < 0 ? '' : field.slice(equals + 1);
    const [decodedName, escapedName] = spellings(name);
    const [decodedValue, escapedValue] = spellings(value);
    parameters.push({ name: decodedName, value: decodedValue, bare: equals < 0, escapedName, escapedValue });
  }
  return parameters;
}

/** Most texts need no escapes, and are themselves in both. */
function spellings(text: string): readonly [decoded: string, escaped: string] {
  return isUnreserved(text) ? [text, text] : [decodeEscapes(text, 'space'), canonicalEscapes(text, 'query')];
}

function headersOf(rawHeaders: readonly string[]): Map<string, string> {
  const headers = new Map<string, string>();
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] ?? '').toLowerCase();
    const value = signedValue(rawHeaders[at + 1] ?? '');
    const before = headers.get(name);
    headers.set(name, before === undefined ? value : `${before},${value}`);
  }
  return headers;
}

/** Without spaces and tabs at its ends, and with one space for each run of them. Other white space is content. */
function signedValue(value: string): string {
  const single = /[ \t]{2}|\t/.test(value) ? value.replace(/[ \t]+/g, ' ') : value;
  return single.startsWith(' ') || single.endsWith(' ') ? single.replace(/^ | $/g, '') : single;
}

export function parametersNamed(head: RequestHead, name: string): Parameter[] {
  return head.parameters.filter((parameter) => parameter.name === name);
}

/** A parameter whose name may be spelled in any case, as headers may that presigners move into the query. */
export function hoistedParameter(head: RequestHead, name: string): string | undefined {
  return head.parameters.find((parameter) => parameter.name.toLowerCase() === name)?.value;
}
