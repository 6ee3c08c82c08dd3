/** RestoreObject: makes an archived object readable for some days; once more moves the end. */
import { childNumber, childText, malformed, S3Fault } from '@millpond/protocol/s3';
import type { S3Objects } from '../../../storage/objects/index.ts';
import { emptyOk } from '../s3.answers.ts';
import { xmlBodyOf } from '../s3.body.ts';
import type { S3Operation } from '../s3.operation.ts';
import { checkVersion, requireObject } from './require-object.ts';

const [FROZEN, RESTORING] = [0, 1];
const MAX_DAYS = 3650;

export function restoreOperation({ s3Objects }: { readonly s3Objects: S3Objects }): S3Operation {
  return {
    name: 'RestoreObject',
    method: 'POST',
    on: 'object',
    parameters: ['restore'],
    action: 'write',
    async handle(request, bucket, key) {
      checkVersion(request.query.get('versionId'));
      const body = await xmlBodyOf(request, 'RestoreRequest');
      if (childText(body, 'Type') !== undefined)
        throw new S3Fault('NotImplemented', {
          hint: 'a restore here makes the object readable, nothing else',
        });
      const days = childNumber(body, 'Days');
      if (days === undefined || days < 1) throw malformed('Days must be at least 1');
      if (days > MAX_DAYS) throw new S3Fault('InvalidArgument', { hint: `Days must be at most ${MAX_DAYS}` });
      await requireObject(s3Objects, bucket, key, request.context.cancel);
      const status = await s3Objects.restore(bucket, key, days);
      if (status === RESTORING) throw new S3Fault('RestoreAlreadyInProgress');
      return status === FROZEN ? { status: 202, headers: {}, body: '' } : emptyOk();
    },
  };
}
