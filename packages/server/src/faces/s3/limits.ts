/** What a key with limits may do by S3. Judged only after the signature was verified. */
import type { AskedOfKey } from '@millpond/protocol';
import { refusalOf as limitRefusal, refuseBeyondLimits } from '../../identity/accounts/index.ts';
import type { S3Request } from './s3.request.ts';

/** Throws if the key that signed the request may not; who is anonymous has no key, and is judged by the bucket. */
export function permitted({ identity, call }: S3Request, asked: AskedOfKey | readonly AskedOfKey[]): void {
  refuseBeyondLimits(identity?.key, asked, call.peer.address);
}

/** The same as text, for what may still turn out not to be needed. */
export function notPermitted(
  { identity, call }: S3Request,
  asked: readonly AskedOfKey[],
): string | undefined {
  return limitRefusal(identity?.key, asked, call.peer.address);
}
