/** List markers: URL-safe Base64 of `{"c":0,"k":"<last key>"}`, Qiniu's form, opaque to clients. */
import { encodeBase64Text, tryDecodeBase64 } from './base64.ts';
import { Fault } from './errors/fault.ts';
import { decodeJson } from './json.ts';
import { checkKey } from './names.ts';

/** A key of control characters grows sixfold in JSON, and by another third in Base64. */
const MAX_MARKER_LENGTH = 8192;

export function encodeListMarker(lastKey: string): string {
  return encodeBase64Text(JSON.stringify({ c: 0, k: lastKey }));
}

/** The key after which the list continues; undefined for an empty marker, which is the start. */
export function decodeListMarker(marker: string): string | undefined {
  if (marker === '') return undefined;
  if (marker.length > MAX_MARKER_LENGTH) throw new Fault('invalidMarker');
  const bytes = tryDecodeBase64(marker);
  const key = bytes === undefined ? undefined : keyOf(decodeJson(bytes));
  if (key === undefined) throw new Fault('invalidMarker');
  return key;
}

function keyOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { c, k } = value as { c?: unknown; k?: unknown };
  if (c !== 0 || typeof k !== 'string') return undefined;
  try {
    checkKey(k);
    return k;
  } catch {
    return undefined;
  }
}
