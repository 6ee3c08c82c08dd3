/**
 * The fields of a form and the parameters of a query. What they spell must be UTF-8: a decoder that puts U+FFFD in the
 * place of what is not makes two passwords one, and two keys.
 */
import { Fault, type FaultName } from './errors/fault.ts';
import { decodePercent } from './percent.ts';
import { decodeUtf8 } from './utf8.ts';

const MOST_FIELDS = 1000;
/** It stands for itself, as browsers and `URLSearchParams` have it. */
const LONE_PERCENT = /%(?![0-9A-Fa-f]{2})/g;

/** `refusal`: what a malformed one is in the interface of the call. */
export function parseFields(
  encoded: string | Uint8Array,
  refusal: FaultName = 'invalidArgument',
): URLSearchParams {
  const text = typeof encoded === 'string' ? encoded : decodeUtf8(encoded);
  if (text === undefined) throw new Fault(refusal, { hint: 'the form is not UTF-8' });
  // One more than may be tells that there are too many, however long the rest is.
  const fields = text.split('&', MOST_FIELDS + 1);
  if (fields.length > MOST_FIELDS)
    throw new Fault(refusal, { hint: `there are more than ${MOST_FIELDS} parameters` });
  const malformed = fields.find((field) => !isText(field));
  if (malformed !== undefined) throw new Fault(refusal, { hint: `${nameOf(malformed)} is not UTF-8` });
  return new URLSearchParams(text);
}

function isText(field: string): boolean {
  return !field.includes('%') || decodePercent(field.replace(LONE_PERCENT, '%25')) !== undefined;
}

/** For the hint: a name that is plain enough to be one of ours. */
function nameOf(field: string): string {
  return /^([A-Za-z0-9_:-]{1,40})=/.exec(field)?.[1] ?? 'a parameter';
}
