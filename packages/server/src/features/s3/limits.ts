/** What a key with limits may do by S3. Judged only after the signature was verified. */
import type { AskedOfKey } from '@millpond/protocol';
import { refuseBeyondLimits } from '../accounts/index.ts';
import type { S3Request } from './request.ts';

/** Throws if the key that signed the request may not; who is anonymous has no key, and is judged by the bucket. */
export function permitted({ identity, call }: S3Request, asked: AskedOfKey | readonly AskedOfKey[]): void {
  refuseBeyondLimits(identity?.key, asked, call.peer.address);
}
