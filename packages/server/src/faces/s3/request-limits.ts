/** What a key with limits may do by S3. Judged only after the signature was verified. */
import type { RequiredPermission } from '@millpond/protocol';
import { assertWithinKeyLimits, keyLimitViolation as limitRefusal } from '../../identity/accounts/index.ts';
import type { S3Request } from './s3.request.ts';

/** Throws if the key that signed the request may not; who is anonymous has no key, and is judged by the bucket. */
export function assertRequestWithinLimits(
  { identity, context }: S3Request,
  asked: RequiredPermission | readonly RequiredPermission[],
): void {
  assertWithinKeyLimits(identity?.key, asked, context.peer.address);
}

/** The same as text, for what may still turn out not to be needed. */
export function requestLimitViolation(
  { identity, context }: S3Request,
  asked: readonly RequiredPermission[],
): string | undefined {
  return limitRefusal(identity?.key, asked, context.peer.address);
}
