/**
 * Who may read: anybody from a public bucket; from a private one, anybody with a URL signed by a key of its owner's that may itself
 * read the object. A session of the console reads what its account has, as far as its own rights go, and nothing else; an operator's
 * everything: pictures and players send no header that would say for whom it acts.
 */
import { currentTrace } from '@millpond/base';
import { Fault, splitDownloadToken, verifyDownloadToken } from '@millpond/protocol';
import {
  type AccessKey,
  assertWithinKeyLimits,
  type ExplainSignature,
  isAllAccountsCall,
  type Keyring,
} from '../../identity/accounts/index.ts';
import { nodeHashing } from '../../platform/hashing.ts';
import type { CallSession, RequestContext } from '../../platform/web/index.ts';
import type { Bucket } from '../../storage/buckets/index.ts';
import { hasParameter } from './query.ts';

export interface AccessDeps {
  readonly keyring: Keyring;
  readonly explain: ExplainSignature;
}

export interface ReadTarget {
  readonly bucket: Bucket;
  readonly key: string;
}

/** The part of the query that can be trusted: for a private bucket's URL, only what was signed. */
export async function trustedQuery(
  context: RequestContext,
  { bucket, key }: ReadTarget,
  deps: AccessDeps,
): Promise<string | undefined> {
  const { query } = context.target;
  if (context.session !== undefined) assertSessionMayRead(context, context.session, { bucket, key });
  if (context.session !== undefined || !bucket.isPrivate) return query;
  const { query: signed } = await checkSignature(context, { bucket, key }, deps);
  // Unsigned parameters that mean nothing here are left alone; one that does must not be ignored silently.
  if (hasParameter(query, 'attname') && !hasParameter(signed, 'attname'))
    throw new Fault('badToken', { hint: 'attname comes after the token, which does not cover it' });
  return signed;
}

/** For another object than the one that the URL names. Throws unless it may be read too. */
export async function assertMayRead(
  context: RequestContext,
  object: ReadTarget,
  deps: AccessDeps,
): Promise<void> {
  if (context.session !== undefined) assertSessionMayRead(context, context.session, object);
  else if (object.bucket.isPrivate) await checkSignature(context, object, deps);
}

/**
 * Whether the bucket's owner signed the URL and it has not expired; for public buckets too. `read`: also another object that its
 * key must be allowed to read.
 */
export async function isSigned(
  context: RequestContext,
  object: ReadTarget,
  deps: AccessDeps,
  read: ReadTarget = object,
): Promise<boolean> {
  try {
    const key =
      context.session === undefined ? (await checkSignature(context, object, deps)).key : context.session.key;
    assertKeyMayRead(context, key, read);
    return true;
  } catch (error) {
    if (error instanceof Fault && (error.status === 401 || error.fault === 'keyLimited')) return false;
    throw error;
  }
}

/** Who signed the URL, how long it is valid, and which part of its query was signed. */
export interface UrlSignature {
  readonly key: AccessKey;
  /** Unix seconds. */
  readonly deadline: number;
  readonly query: string;
}

export async function checkSignature(
  context: RequestContext,
  object: ReadTarget,
  { keyring, explain }: AccessDeps,
): Promise<UrlSignature> {
  const token = splitDownloadToken(context.target.raw);
  if (token === undefined)
    throw new Fault('tokenNotSpecified', { hint: 'the bucket is private: sign the URL' });
  const key = await keyring.find(token.accessKey);
  if (key?.uid !== object.bucket.uid)
    throw new Fault('badToken', explain("the bucket's owner has no such key"));
  const signed = verifyDownloadToken(nodeHashing, key.secretKey, context.host, token);
  if (signed === undefined) {
    const scheme = context.peer.secure ? 'https' : 'http';
    const text = () => [`${scheme}://${context.host}${token.candidates[0].target}`];
    throw new Fault('badToken', explain('wrong signature', text));
  }
  currentTrace()?.authenticatedAs(key.uid, key.accessKey);
  const { target, deadline } = signed;
  if (deadline <= Date.now() / 1000) throw new Fault('expiredToken');
  keyring.used(key, context.peer.address);
  assertKeyMayRead(context, key, object);
  return { key, deadline, query: target.slice(target.indexOf('?') + 1) };
}

/** On the console's origin, even public objects of others are not there. */
function assertSessionMayRead(context: RequestContext, { uid, key }: CallSession, object: ReadTarget): void {
  if (uid !== object.bucket.uid && !isAllAccountsCall(context)) throw new Fault('notFound');
  assertKeyMayRead(context, key, object);
}

/** Unless the key that signed the URL, or that the session has, may read the object itself. */
function assertKeyMayRead(
  context: RequestContext,
  accessKey: AccessKey | undefined,
  { bucket, key }: ReadTarget,
): void {
  assertWithinKeyLimits(accessKey, { action: 'read', bucket: bucket.name, key }, context.peer.address);
}
