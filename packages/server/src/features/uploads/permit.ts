/** From an upload token to what it permits: who signed it, what its policy says, which bucket it is for. */
import {
  Fault,
  parseUploadPolicy,
  splitUploadToken,
  type UploadPolicy,
  verifyUploadToken,
} from '@millpond/protocol';
import { nodeHashing } from '../../platform/hashing.ts';
import type { AccessKey, ExplainSignature, Keyring } from '../accounts/index.ts';
import type { Bucket, Buckets } from '../buckets/index.ts';

export interface Permit {
  readonly policy: UploadPolicy;
  readonly bucket: Bucket;
  readonly key: AccessKey;
}

/** The largest object it permits, and so the largest part of one. */
export function mostBytes({ policy }: Pick<Permit, 'policy'>, maxObjectSize: number): number {
  return Math.min(maxObjectSize, policy.fsizeLimit ?? Number.POSITIVE_INFINITY);
}

export type Permits = (token: string | undefined) => Promise<Permit>;

const NO_TOKEN = 'no `<access key>:<signature>:<encoded policy>` in URL-safe Base64';

export function permits(keyring: Keyring, buckets: Buckets, explain: ExplainSignature): Permits {
  return async (text) => {
    if (text === undefined || text === '') throw new Fault('tokenNotSpecified');
    const token = splitUploadToken(text);
    if (token === undefined) throw new Fault('badToken', explain(NO_TOKEN));
    const key = await keyring.find(token.accessKey);
    if (key === undefined) throw new Fault('badToken', explain('there is no such key, or it is disabled'));
    if (!verifyUploadToken(nodeHashing, key.secretKey, token))
      throw new Fault(
        'badToken',
        explain('wrong signature', () => [token.encodedPolicy]),
      );
    const policy = parseUploadPolicy(token.encodedPolicy);
    if (policy.deadline <= Date.now() / 1000) throw new Fault('expiredToken');
    return { policy, key, bucket: await buckets.owned(key.uid, policy.scope.bucket) };
  };
}
