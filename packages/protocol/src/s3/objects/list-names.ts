/** Times and tokens in lists. */
import { encodeBase64, tryDecodeBase64 } from '../../base64.ts';
import { decodeUtf8, encodeUtf8 } from '../../utf8.ts';
import { S3Fault } from '../fault.ts';

/** From unix seconds. Lists and headers show whole seconds. */
export function formatXmlTime(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}

/** To unix seconds; undefined for what is no time. */
export function parseXmlTime(text: string): number | undefined {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/.test(text.trim()))
    return undefined;
  const time = Date.parse(text.trim());
  return Number.isNaN(time) ? undefined : Math.floor(time / 1000);
}

/** Where the next page begins: after this name. */
export function encodeContinuationToken(after: string): string {
  return encodeBase64(encodeUtf8(after));
}

export function decodeContinuationToken(token: string): string {
  const bytes = tryDecodeBase64(token);
  const after = bytes && decodeUtf8(bytes);
  if (after === undefined)
    throw new S3Fault('InvalidArgument', {
      message: 'The continuation token provided is incorrect',
      details: { ArgumentName: 'continuation-token' },
    });
  return after;
}
