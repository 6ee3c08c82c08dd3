/** From an upload token to what it permits: who signed it, what its policy says, which bucket it is for. */
import {
  Fault,
  parseUploadPolicy,
  splitUploadToken,
  type UploadPolicy,
  verifyUploadToken,
} from '@millpond/protocol';
import { nodeHashing } from '../../platform/hashing.ts';
import type { AccessKey, Keyring } from '../accounts/index.ts';
import type { Bucket, Buckets } from '../buckets/index.ts';

export interface Permit {
  readonly policy: UploadPolicy;
  readonly bucket: Bucket;
  readonly key: AccessKey;
}

/** The largest object that may come of it, and so the largest part of one. */
export function mostBytes({ policy }: Pick<Permit, 'policy'>, maxObjectSize: number): number {
  return Math.min(maxObjectSize, policy.fsizeLimit ?? Number.POSITIVE_INFINITY);
}

export type Permits = (token: string | undefined) => Promise<Permit>;

export function permits(keyring: Keyring, buckets: Buckets): Permits {
  return async (text) => {
    if (text === undefined || text === '') throw new Fault('tokenNotSpecified');
    const token = splitUploadToken(text);
    const key = token && (await keyring.find(token.accessKey));
    if (token === undefined || key === undefined || !verifyUploadToken(nodeHashing, key.secretKey, token)) {
      throw new Fault('badToken');
    }
    const policy = parseUploadPolicy(token.encodedPolicy);
    if (policy.deadline <= Date.now() / 1000) throw new Fault('expiredToken');
    return { policy, key, bucket: await buckets.owned(key.uid, policy.scope.bucket) };
  };
}
