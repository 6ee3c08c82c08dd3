/** Which headers of an exchange with a receiver are kept with the attempt. */
import type { OutboundHeaders } from '@millpond/outbound';

export type StoredHeaders = Readonly<Record<string, string>>;

/** Response headers that help to find out why an attempt failed. Never a cookie, nor anything else that could be somebody's credential. */
const KEPT_OF_ANSWER = [
  'content-type',
  'content-length',
  'date',
  'server',
  'via',
  'location',
  'retry-after',
  'allow',
  'x-request-id',
  'x-reqid',
  'cf-ray',
] as const;
const KEPT_LENGTH = 300;
const KEPT_REQUEST_LENGTH = 2000;

/** All of them: they are ours, and signatures are no secrets. */
export function storedRequestHeaders(
  headers: readonly (readonly [name: string, value: string])[],
): StoredHeaders {
  return Object.fromEntries(headers.map(([name, value]) => [name, clean(value, KEPT_REQUEST_LENGTH)]));
}

export function storedResponseHeaders(headers: OutboundHeaders): StoredHeaders {
  const kept: Record<string, string> = {};
  for (const name of KEPT_OF_ANSWER) {
    const value = headers[name];
    if (value !== undefined) kept[name] = clean(String(value), KEPT_LENGTH);
  }
  return kept;
}

/** No column takes the character zero. */
function clean(value: string, length: number): string {
  return value.replaceAll('\0', '').slice(0, length);
}
