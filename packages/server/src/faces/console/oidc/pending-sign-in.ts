/**
 * A sign-in under way: what has to be known when the browser comes back from the provider. It is kept in a cookie of the browser
 * that began it, for ten minutes, with our own signature, so that no other browser can end it and none can prolong it.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { decodeJson, equalBytes, tryDecodeBase64 } from '@millpond/protocol';

export interface PendingSignIn {
  readonly state: string;
  readonly nonce: string;
  /** Code verifier of PKCE. */
  readonly verifier: string;
  /** Where to go afterwards: a path of the console. */
  readonly to: string;
}

export const TRIP_SECONDS = 600;
const MAX_PATH_LENGTH = 1024;

export function newPendingSignIn(to: string | null): PendingSignIn {
  const random = () => randomBytes(32).toString('base64url');
  return { state: random(), nonce: random(), verifier: random(), to: ownPath(to) };
}

export function signPendingSignIn(pending: PendingSignIn, keys: readonly Buffer[], now: number): string {
  const text = Buffer.from(JSON.stringify({ ...pending, at: now })).toString('base64url');
  const [key] = keys;
  if (key === undefined) throw new Error('there is no key to sign with');
  return `${text}.${signature(text, key)}`;
}

/** Undefined: none of ours, or begun too long ago. */
export function verifyPendingSignIn(
  sealed: string,
  keys: readonly Buffer[],
  now: number,
): PendingSignIn | undefined {
  const [text = '', given = ''] = sealed.split('.');
  const isOurs = keys.some((key) => equalBytes(Buffer.from(signature(text, key)), Buffer.from(given)));
  const bytes = isOurs ? tryDecodeBase64(text) : undefined;
  const { at, ...trip } = (bytes === undefined ? {} : decodeJson(bytes)) as Partial<
    PendingSignIn & { at: number }
  >;
  if (at === undefined || now < at || now - at > TRIP_SECONDS * 1000) return undefined;
  return trip as PendingSignIn;
}

/** Only places of this origin: a link to the sign-in must not lead elsewhere. */
function ownPath(to: string | null): string {
  const isOwn = to !== null && to.length <= MAX_PATH_LENGTH && /^\/(?![/\\])[\x21-\x7e]*$/.test(to);
  return isOwn && !to.startsWith('/session') ? to : '/';
}

function signature(text: string, key: Buffer): string {
  return createHmac('sha256', key).update(text).digest('base64url');
}
