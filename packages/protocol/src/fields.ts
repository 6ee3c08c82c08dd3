/**
 * The fields of a form and the parameters of a query. They must decode to UTF-8: a decoder that replaces invalid bytes
 * with U+FFFD would make two passwords, or two keys, the same.
 */
import { Fault, type FaultName } from './errors/fault.ts';
import { decodePercent } from './percent.ts';
import { decodeUtf8 } from './utf8.ts';

const MAX_FIELDS = 1000;
/** It stands for itself, as in browsers and `URLSearchParams`, unless escapes are strict. */
const LONE_PERCENT = /%(?![0-9A-Fa-f]{2})/g;

export interface FieldRules {
  /** How the API of the call refuses a malformed field. */
  readonly refusal?: FaultName | undefined;
  /** Whether a `%` that begins no escape is refused. */
  readonly strictEscapes?: boolean;
}

export function parseFields(
  encoded: string | Uint8Array,
  { refusal = 'invalidArgument', strictEscapes = false }: FieldRules = {},
): URLSearchParams {
  const text = typeof encoded === 'string' ? encoded : decodeUtf8(encoded);
  if (text === undefined) throw new Fault(refusal, { hint: 'the form is not UTF-8' });
  // One more than allowed shows that there are too many, however long the rest is.
  const fields = text.split('&', MAX_FIELDS + 1);
  if (fields.length > MAX_FIELDS)
    throw new Fault(refusal, { hint: `there are more than ${MAX_FIELDS} parameters` });
  const broken = strictEscapes ? fields.find((field) => hasLonePercent(field)) : undefined;
  if (broken !== undefined)
    throw new Fault(refusal, {
      hint: `${nameOf(broken)} is not percent-encoded: a % stands before two hexadecimal digits`,
    });
  const malformed = fields.find((field) => !isText(field));
  if (malformed !== undefined) throw new Fault(refusal, { hint: `${nameOf(malformed)} is not UTF-8` });
  return new URLSearchParams(text);
}

function hasLonePercent(field: string): boolean {
  return field.search(LONE_PERCENT) >= 0;
}

function isText(field: string): boolean {
  return !field.includes('%') || decodePercent(field.replace(LONE_PERCENT, '%25')) !== undefined;
}

/** For the hint: a name that is plain enough to be one of ours. */
function nameOf(field: string): string {
  return /^([A-Za-z0-9_:-]{1,40})=/.exec(field)?.[1] ?? 'a parameter';
}
