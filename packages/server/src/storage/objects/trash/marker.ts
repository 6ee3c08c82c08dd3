/** Where a page of the trash ended, as text that means nothing to clients. */
import { checkKey, decodeJson, encodeBase64Text, Fault, tryDecodeBase64 } from '@millpond/protocol';
import type { TrashedPlace } from './trash.store.ts';

/** A key of control characters grows sixfold in JSON, and by another third in Base64. */
const MAX_MARKER_LENGTH = 8192;
const TIME = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})?[+-]\d\d(?::\d\d){0,2}$/;
const ID = /^\d{1,18}$/;

export function encodeTrashMarker({ key, trashedAt, trashId }: TrashedPlace): string {
  return encodeBase64Text(JSON.stringify([key, trashedAt, String(trashId)]));
}

export function decodeTrashMarker(marker: string): TrashedPlace {
  const bytes = marker.length > MAX_MARKER_LENGTH ? undefined : tryDecodeBase64(marker);
  const value = bytes === undefined ? undefined : decodeJson(bytes);
  const [key, trashedAt, trashId] = (Array.isArray(value) ? value : []) as readonly unknown[];
  if (typeof key !== 'string' || typeof trashedAt !== 'string' || typeof trashId !== 'string')
    throw new Fault('invalidMarker');
  if (!TIME.test(trashedAt) || Number.isNaN(Date.parse(trashedAt.slice(0, 10))) || !ID.test(trashId))
    throw new Fault('invalidMarker');
  checkKey(key);
  return { key, trashedAt, trashId: BigInt(trashId) };
}
