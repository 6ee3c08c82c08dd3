/**
 * Who may read: anybody from a public bucket; from a private one, anybody with a URL signed by a key of its owner's that may itself
 * read the object. A session of the console reads what its account has, as far as its own rights go, and nothing else; an operator's
 * everything: pictures and players send no header that would say for whom it acts.
 */
import { currentTrace } from '@millpond/base';
import { Fault, splitDownloadToken, verifyDownloadToken } from '@millpond/protocol';
import {
  type AccessKey,
  type ExplainSignature,
  isForAll,
  type Keyring,
  refuseBeyondLimits,
} from '../../identity/accounts/index.ts';
import { nodeHashing } from '../../platform/hashing.ts';
import type { Call, CallSession } from '../../platform/web/index.ts';
import type { Bucket } from '../../storage/buckets/index.ts';
import { hasParameter } from './query.ts';

export interface AccessDeps {
  readonly keyring: Keyring;
  readonly explain: ExplainSignature;
}

export interface ReadObject {
  readonly bucket: Bucket;
  readonly key: string;
}

/** The part of the query that can be trusted: for a private bucket's URL, only what was signed. */
export async function believedQuery(
  call: Call,
  { bucket, key }: ReadObject,
  deps: AccessDeps,
): Promise<string | undefined> {
  const { query } = call.target;
  if (call.session !== undefined) refuseOthers(call, call.session, { bucket, key });
  if (call.session !== undefined || !bucket.isPrivate) return query;
  const { query: signed } = await checkSignature(call, { bucket, key }, deps);
  // Unsigned parameters that mean nothing here are left alone; one that does must not be ignored silently.
  if (hasParameter(query, 'attname') && !hasParameter(signed, 'attname'))
    throw new Fault('badToken', { hint: 'attname comes after the token, which does not cover it' });
  return signed;
}

/** For another object than the one that the URL names. Throws unless it may be read too. */
export async function checkReader(call: Call, object: ReadObject, deps: AccessDeps): Promise<void> {
  if (call.session !== undefined) refuseOthers(call, call.session, object);
  else if (object.bucket.isPrivate) await checkSignature(call, object, deps);
}

/**
 * Whether the bucket's owner signed the URL and it has not expired; for public buckets too. `read`: also another object that its
 * key must be allowed to read.
 */
export async function isSigned(
  call: Call,
  object: ReadObject,
  deps: AccessDeps,
  read: ReadObject = object,
): Promise<boolean> {
  try {
    const key =
      call.session === undefined ? (await checkSignature(call, object, deps)).key : call.session.key;
    refuseUnread(call, key, read);
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
  call: Call,
  object: ReadObject,
  { keyring, explain }: AccessDeps,
): Promise<UrlSignature> {
  const token = splitDownloadToken(call.target.raw);
  if (token === undefined)
    throw new Fault('tokenNotSpecified', { hint: 'the bucket is private: sign the URL' });
  const key = await keyring.find(token.accessKey);
  if (key?.uid !== object.bucket.uid)
    throw new Fault('badToken', explain("the bucket's owner has no such key"));
  const signed = verifyDownloadToken(nodeHashing, key.secretKey, call.host, token);
  if (signed === undefined) {
    const scheme = call.peer.secure ? 'https' : 'http';
    const text = () => [`${scheme}://${call.host}${token.candidates[0].target}`];
    throw new Fault('badToken', explain('wrong signature', text));
  }
  currentTrace()?.provenBy(key.uid, key.accessKey);
  const { target, deadline } = signed;
  if (deadline <= Date.now() / 1000) throw new Fault('expiredToken');
  keyring.used(key, call.peer.address);
  refuseUnread(call, key, object);
  return { key, deadline, query: target.slice(target.indexOf('?') + 1) };
}

/** On the console's origin, even public objects of others are not there. */
function refuseOthers(call: Call, { uid, key }: CallSession, object: ReadObject): void {
  if (uid !== object.bucket.uid && !isForAll(call)) throw new Fault('notFound');
  refuseUnread(call, key, object);
}

/** Unless the key that signed the URL, or that the session has, may read the object itself. */
function refuseUnread(call: Call, accessKey: AccessKey | undefined, { bucket, key }: ReadObject): void {
  refuseBeyondLimits(accessKey, { action: 'read', bucket: bucket.name, key }, call.peer.address);
}
