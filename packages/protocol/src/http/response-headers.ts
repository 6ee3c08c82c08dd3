/**
 * Response headers that the owner of an object sets, and that its downloads carry: their names, and valid values. A
 * value is sent as it was given, on its own line, to every browser and cache on the way; so it must follow its field's
 * grammar, and whoever makes a mistake is told, not whoever downloads.
 */
import { canonicalHeaderName } from '../signing/headers.ts';
import { formatHttpDate, parseHttpDate } from './date.ts';
import { isDisposition } from './disposition.ts';
import { listOf, QUOTED, TOKEN } from './grammar.ts';

/** Every dialect knows these. */
export const responseHeaderNames = [
  'Cache-Control',
  'Content-Disposition',
  'Content-Encoding',
  'Content-Language',
  'Expires',
] as const;

export type ResponseHeaderName = (typeof responseHeaderNames)[number];

export type ResponseHeaders = { readonly [Name in ResponseHeaderName]?: string | undefined };

export const MAX_RESPONSE_HEADER_BYTES = 1024;
/** For an object's headers in total, names and values together. */
export const MAX_RESPONSE_HEADERS_BYTES = 2048;

const known = new Map<string, ResponseHeaderName>(
  responseHeaderNames.map((name) => [name.toLowerCase(), name]),
);

/** As HTTP spells it; undefined for any other name. */
export function responseHeaderName(name: string): ResponseHeaderName | undefined {
  return known.get(name.toLowerCase());
}

const DIRECTIVE = `(${TOKEN})(?:=(${TOKEN}|${QUOTED}))?`;
const DIRECTIVES = listOf(DIRECTIVE);
const CODINGS = listOf(TOKEN);
const LANGUAGES = listOf('[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*');
/** Directives whose argument is a number of seconds. */
const SECONDS = /^(?:max-age|s-maxage|stale-while-revalidate|stale-if-error)$/i;

const grammars = new Map<string, (value: string) => string | undefined>([
  ['cache-control', cachingFault],
  [
    'content-disposition',
    (value) =>
      isDisposition(value)
        ? undefined
        : 'it must be `inline` or `attachment`, with parameters such as `filename="a b.txt"` or `filename*=UTF-8\'\'%C3%A4.txt`',
  ],
  [
    'content-encoding',
    (value) => (CODINGS.test(value) ? undefined : 'it must be a list of codings, such as `gzip`'),
  ],
  [
    'content-language',
    (value) => (LANGUAGES.test(value) ? undefined : 'it must be a list of languages, such as `de, en-GB`'),
  ],
  // The one value that is not a date and yet has a meaning: already expired.
  ['expires', (value) => (value === '0' ? undefined : dateFault(value))],
  ['last-modified', dateFault],
]);

/**
 * What is wrong with a value, or undefined. For fields without a grammar here, it only checks that it is the value of
 * one header.
 */
export function responseHeaderProblem(name: string, value: string): string | undefined {
  const lower = name.toLowerCase();
  const fault = fieldValueFault(value) ?? grammars.get(lower)?.(value);
  return fault && `${canonicalHeaderName(lower)}: ${fault}`;
}

function fieldValueFault(value: string): string | undefined {
  if (value.length > MAX_RESPONSE_HEADER_BYTES) return `at most ${MAX_RESPONSE_HEADER_BYTES} bytes`;
  if (!/^[\x20-\x7e]*$/.test(value)) return 'a header may only contain printable ASCII';
  return value === '' || value !== value.trim()
    ? 'it must not be empty, or begin or end with a space'
    : undefined;
}

function cachingFault(value: string): string | undefined {
  if (!DIRECTIVES.test(value)) return 'directives must be separated by commas, as in `public, max-age=3600`';
  for (const [, name = '', argument = ''] of value.matchAll(new RegExp(DIRECTIVE, 'g'))) {
    if (SECONDS.test(name) && !/^\d{1,10}$/.test(argument))
      return `${name.toLowerCase()} needs a number of seconds, as in \`${name.toLowerCase()}=3600\``;
  }
  return undefined;
}

function dateFault(value: string): string | undefined {
  const time = parseHttpDate(value);
  const meant = time === undefined ? 'Tue, 15 Nov 2033 12:45:26 GMT' : formatHttpDate(time);
  return value === meant ? undefined : `it must be a date written as \`${meant}\``;
}

/** Pairs are ASCII, so characters are bytes. */
export function pairsBytes(pairs: Readonly<Record<string, string>>): number {
  let bytes = 0;
  for (const [name, value] of Object.entries(pairs)) bytes += name.length + value.length;
  return bytes;
}
