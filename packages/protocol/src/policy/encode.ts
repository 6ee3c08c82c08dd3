/** Writes a policy as JSON, to be signed. It is parsed first, so that a signer learns of a mistake before any client does. */
import { encodeUtf8 } from '../utf8.ts';
import type { PolicyFields } from './fields.ts';
import { parseUploadPolicy } from './parse.ts';
import { invalidPolicy } from './refuse.ts';
import { unknownFieldWords, unknownPolicyFields } from './unknown.ts';

export interface EncodeOptions {
  /** Also allow fields that no server of ours knows. */
  readonly allowUnknown?: boolean | undefined;
}

export function encodeUploadPolicy(
  fields: PolicyFields,
  { allowUnknown = false }: EncodeOptions = {},
): string {
  const unknown = allowUnknown ? [] : unknownPolicyFields(fields);
  if (unknown.length > 0) throw invalidPolicy(`no server knows ${unknownFieldWords(unknown)}`);
  const json = JSON.stringify(fields);
  parseUploadPolicy(encodeUtf8(json));
  return json;
}
