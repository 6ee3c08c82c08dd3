/** Who may read: everybody from a public bucket; from a private one, whoever holds a URL signed by its owner's key. */
import { Fault, splitDownloadToken, verifyDownloadToken } from '@millpond/protocol';
import { nodeHashing } from '../../platform/hashing.ts';
import type { Call } from '../../platform/web/index.ts';
import type { ExplainSignature, Keyring } from '../accounts/index.ts';
import type { Bucket } from '../buckets/index.ts';

export interface AccessParts {
  readonly keyring: Keyring;
  readonly explain: ExplainSignature;
}

export async function checkReadAccess(call: Call, bucket: Bucket, parts: AccessParts): Promise<void> {
  if (bucket.isPrivate) await checkSignature(call, bucket, parts);
}

/** Whether the owner of the bucket signed the URL and its time is not over: of public buckets, too. */
export async function isSigned(call: Call, bucket: Bucket, parts: AccessParts): Promise<boolean> {
  try {
    await checkSignature(call, bucket, parts);
    return true;
  } catch (error) {
    if (error instanceof Fault && error.status === 401) return false;
    throw error;
  }
}

async function checkSignature(call: Call, bucket: Bucket, { keyring, explain }: AccessParts): Promise<void> {
  const token = splitDownloadToken(call.target.raw);
  if (token === undefined)
    throw new Fault('tokenNotSpecified', { hint: 'the bucket is private: sign the URL' });
  const key = await keyring.find(token.accessKey);
  if (key?.uid !== bucket.uid) throw new Fault('badToken', explain("no such key of the bucket's owner"));
  if (!verifyDownloadToken(nodeHashing, key.secretKey, call.host, token)) {
    const scheme = call.peer.secure ? 'https' : 'http';
    const text = () => [`${scheme}://${call.host}${token.signedTarget}`];
    throw new Fault('badToken', explain('wrong signature', text));
  }
  if (token.deadline <= Date.now() / 1000) throw new Fault('expiredToken');
}
