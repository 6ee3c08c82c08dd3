/**
 * Standard Webhooks: HMAC-SHA256 over `id.timestamp.body`, one signature per valid secret, so that a receiver can keep
 * verifying while a secret is exchanged.
 */
import { equalBytes } from '../equal-bytes.ts';
import type { Hashing } from '../hashing.ts';

export interface WebhookMessage {
  readonly id: string;
  /** Unix seconds of the attempt. */
  readonly timestamp: number;
  readonly body: Uint8Array;
}

export interface WebhookHeaders {
  readonly 'webhook-id': string;
  readonly 'webhook-timestamp': string;
  readonly 'webhook-signature': string;
}

const SECRET_PREFIX = 'whsec_';
const VERSION = 'v1,';
/** How far a receiver's clock and ours may differ. */
const TOLERANCE_SECONDS = 300;

export function signWebhook(
  hashing: Hashing,
  secrets: readonly string[],
  message: WebhookMessage,
): WebhookHeaders & Record<string, string> {
  return {
    'webhook-id': message.id,
    'webhook-timestamp': String(message.timestamp),
    'webhook-signature': secrets
      .map((secret) => VERSION + signature(hashing, knownKey(secret), message))
      .join(' '),
  };
}

/**
 * For receivers: whether one of the signatures was made with one of the secrets, and the message is recent. A secret without a key, such as
 * a setting that is empty or missing, verifies nothing: anybody can sign with no key.
 */
export function verifyWebhook(
  hashing: Hashing,
  secrets: readonly (string | undefined)[],
  headers: Readonly<Record<string, string | undefined>>,
  body: Uint8Array,
  nowSeconds: number,
): boolean {
  const id = headers['webhook-id'] ?? '';
  const timestamp = headers['webhook-timestamp'] ?? '';
  // An id with a dot could have taken its end from the timestamp, and the timestamp from the start of the body.
  if (!/^[^.]+$/.test(id) || !/^\d{1,12}$/.test(timestamp)) return false;
  if (Math.abs(nowSeconds - Number(timestamp)) > TOLERANCE_SECONDS) return false;
  const given = (headers['webhook-signature'] ?? '').split(' ').filter((text) => text.startsWith(VERSION));
  const message = { id, timestamp: Number(timestamp), body };
  const keys = secrets.map(keyOf).filter((key) => key !== undefined);
  const good = keys.map((key) => ascii(VERSION + signature(hashing, key, message)));
  return given.some((text) => good.some((expected) => equalBytes(expected, ascii(text))));
}

function signature(hashing: Hashing, key: Uint8Array, { id, timestamp, body }: WebhookMessage): string {
  return toBase64(hashing.hmacSha256(key, [`${id}.${timestamp}.`, body]));
}

function knownKey(secret: string): Uint8Array {
  const key = keyOf(secret);
  if (key === undefined) throw new Error('a webhook secret has no key');
  return key;
}

/** Undefined where there is none. */
function keyOf(secret: string | undefined): Uint8Array | undefined {
  if (typeof secret !== 'string') return undefined;
  const text = secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret;
  try {
    const key = fromBase64(text);
    return key.length === 0 ? undefined : key;
  } catch {
    return undefined;
  }
}

/** The standard alphabet, as that specification uses it. */
function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}

function fromBase64(text: string): Uint8Array {
  return ascii(atob(text));
}

/** In a loop: `Uint8Array.from` takes ten times as long, and every event has its secret decoded. */
function ascii(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
  return bytes;
}
