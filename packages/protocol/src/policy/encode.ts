/** Writes a policy as JSON, to be signed. It is parsed first: a signer hears of a mistake before any client does. */
import { encodeUtf8 } from '../utf8.ts';
import type { PolicyFields } from './fields.ts';
import { parseUploadPolicy } from './parse.ts';

export function encodeUploadPolicy(fields: PolicyFields): string {
  const json = JSON.stringify(fields);
  parseUploadPolicy(encodeUtf8(json));
  return json;
}
