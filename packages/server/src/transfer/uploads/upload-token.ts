/**
 * From an upload token to what it permits: who signed it, what its policy says, which bucket it is for. A token permits no more than
 * the key that signed it may do when it is used.
 */
import { currentTrace } from '@millpond/base';
import {
  type Dialect,
  Fault,
  type Fop,
  parseUploadPolicy,
  permissionsToOverwrite,
  permissionsToUpload,
  splitUploadToken,
  type UploadPolicy,
  type UploadToken,
  verifyUploadToken,
} from '@millpond/protocol';
import {
  type AccessKey,
  assertWithinKeyLimits,
  type ExplainSignature,
  type Keyring,
  keyLimitViolation,
} from '../../identity/accounts/index.ts';
import { commandPermissions } from '../../media/processing/index.ts';
import { nodeHashing } from '../../platform/hashing.ts';
import type { Bucket, Buckets } from '../../storage/buckets/index.ts';
import { VerifiedTokenCache } from './verified-token-cache.ts';

export interface VerifiedUploadToken {
  readonly policy: UploadPolicy;
  readonly bucket: Bucket;
  readonly key: AccessKey;
  /** As the client sent it. */
  readonly token: string;
  /** Where the upload comes from. */
  readonly address: string;
}

/** The largest object it permits, and so the largest part of one. */
export function maxUploadBytes(
  { policy }: Pick<VerifiedUploadToken, 'policy'>,
  maxObjectSize: number,
): number {
  return Math.min(maxObjectSize, policy.fsizeLimit ?? Number.POSITIVE_INFINITY);
}

export type UploadTokenVerifier = (
  token: string | undefined,
  address: string,
) => Promise<VerifiedUploadToken>;

const NO_TOKEN = 'no `<access key>:<signature>:<encoded policy>` in URL-safe Base64';

export function createUploadTokenVerifier(
  keyring: Keyring,
  buckets: Buckets,
  explain: ExplainSignature,
  dialect: Pick<Dialect, 'tasksWithoutNotice'>,
): UploadTokenVerifier {
  const proven = new VerifiedTokenCache();
  const prove = (text: string, token: UploadToken, key: AccessKey): UploadPolicy => {
    if (!verifyUploadToken(nodeHashing, key.secretKey, token))
      throw new Fault(
        'badToken',
        explain('wrong signature', () => [token.encodedPolicy]),
      );
    currentTrace()?.authenticatedAs(key.uid, key.accessKey);
    const policy = parseUploadPolicy(token.encodedPolicy, dialect);
    proven.add(text, key, policy);
    return policy;
  };
  return async (text, address) => {
    if (text === undefined || text === '') throw new Fault('tokenNotSpecified');
    const token = splitUploadToken(text);
    if (token === undefined) throw new Fault('badToken', explain(NO_TOKEN));
    const key = await keyring.find(token.accessKey);
    if (key === undefined) throw new Fault('badToken', explain('there is no such key, or it is disabled'));
    const policy = proven.policyOf(text, key) ?? prove(text, token, key);
    if (policy.deadline <= Date.now() / 1000) throw new Fault('expiredToken');
    keyring.used(key, address);
    assertWithinKeyLimits(key, permissionsToUpload(policy), address);
    return { policy, key, token: text, address, bucket: await buckets.owned(key.uid, policy.scope.bucket) };
  };
}

/** Unless the key that signed the token may write this object. */
export function assertKeyAllowed(
  { key: accessKey, bucket, address }: VerifiedUploadToken,
  key: string,
): void {
  assertWithinKeyLimits(accessKey, { action: 'write', bucket: bucket.name, key }, address);
}

/** Why the key that signed the token may not replace the object; undefined if it may. */
export function limitOnReplacing(permit: VerifiedUploadToken, key: string): string | undefined {
  return keyLimitViolation(permit.key, permissionsToOverwrite(permit.bucket.name, key), permit.address);
}

/** Unless the key that signed the token may do what these do with the object that it creates. */
export function assertCommandsAllowed(
  { key, bucket, address }: VerifiedUploadToken,
  commands: readonly Fop[],
): void {
  assertWithinKeyLimits(key, commandPermissions(commands, bucket.name), address);
}
