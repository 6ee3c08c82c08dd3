/** Who makes a call that only accounts can make. */
import { S3Fault } from '@millpond/protocol/s3';
import type { AccessKey } from '../../../identity/accounts/index.ts';
import type { S3Request } from '../s3.request.ts';

export function callerOf({ identity }: S3Request): AccessKey {
  if (identity === undefined) throw new S3Fault('AccessDenied');
  return identity.key;
}
