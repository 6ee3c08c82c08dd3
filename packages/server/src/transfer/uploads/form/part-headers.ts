/** What the headers of a form part say: its field name, file name and type. */
import { decodePercent, decodeUtf8, Fault } from '@millpond/protocol';

export interface PartHeaders {
  readonly name: string;
  /** Undefined: not a file. */
  readonly filename: string | undefined;
  /** As sent; undefined if the client sent none. */
  readonly mimeType: string | undefined;
}

const PARAMETER = /[ \t]*;[ \t]*([A-Za-z*-]+)=(?:"((?:[^"\\]|\\.)*)"|([^";]*))/gy;

/** Header text is Latin-1, as it came over the wire. */
export function readPartHeaders(headers: ReadonlyMap<string, string>): PartHeaders {
  const disposition = headers.get('content-disposition') ?? '';
  if (!/^form-data[ \t]*(?:;|$)/i.test(disposition)) throw invalid('a part is not form-data');
  const parameters = new Map<string, string>();
  PARAMETER.lastIndex = disposition.indexOf(';') < 0 ? disposition.length : disposition.indexOf(';');
  for (let match = PARAMETER.exec(disposition); match !== null; match = PARAMETER.exec(disposition)) {
    const parameter = (match[1] ?? '').toLowerCase();
    if (parameters.has(parameter)) throw invalid(`the ${parameter} of a part is given twice`);
    parameters.set(parameter, match[2] === undefined ? (match[3] ?? '').trim() : unquote(match[2]));
  }
  const name = parameters.get('name');
  if (name === undefined) throw invalid('a part has no name');
  const plain = parameters.get('filename');
  const extended = extendedValue(parameters.get('filename*'));
  return {
    name: utf8Of(name),
    filename: extended ?? (plain === undefined ? undefined : utf8Of(plain)),
    mimeType: headers.get('content-type') || undefined,
  };
}

/** Browsers write `%22`, `%0D` and `%0A` inside quotes, other clients a backslash; any other backslash is literal. */
function unquote(text: string): string {
  return text
    .replaceAll(/\\(["\\])/g, '$1')
    .replaceAll(/%22|%0D|%0A/gi, (escaped) => String.fromCharCode(Number.parseInt(escaped.slice(1), 16)));
}

/** RFC 5987: `UTF-8''na%C3%AFve.txt`. */
function extendedValue(value: string | undefined): string | undefined {
  const encoded = value === undefined ? null : /^utf-8'[^']*'(.*)$/i.exec(value);
  if (encoded === null) return undefined;
  const name = decodePercent(encoded[1] ?? '');
  if (name === undefined) throw invalid('a file name is not UTF-8');
  return name;
}

function utf8Of(latin1: string): string {
  const text = decodeUtf8(Buffer.from(latin1, 'latin1'));
  if (text === undefined) throw invalid('a name is not UTF-8');
  return text;
}

function invalid(hint: string): Fault {
  return new Fault('invalidForm', { hint });
}
