/** Lifecycle rules by S3. Tools wait until they read exactly what they wrote, the header of the minimum size included. */
import { randomUUID } from 'node:crypto';
import { MINIMUM_SIZE_HEADER, readLifecycle, S3Fault, writeLifecycle } from '@millpond/protocol/s3';
import type { S3Settings } from '../../../storage/buckets/index.ts';
import { emptyOk, noContent } from '../s3.answers.ts';
import { bodyOf } from '../s3.body.ts';
import type { BucketOperation } from '../s3.operation.ts';
import { rawXmlResponse } from './raw-xml.ts';

export function lifecycleOperations(settings: S3Settings): BucketOperation[] {
  const selected = { on: 'bucket', parameters: ['lifecycle'], action: 'administer' } as const;
  return [
    {
      ...selected,
      name: 'GetBucketLifecycleConfiguration',
      method: 'GET',
      async handle(_, bucket) {
        const lifecycle = await settings.lifecycle(bucket);
        if (lifecycle === undefined)
          throw new S3Fault('NoSuchLifecycleConfiguration', { details: { BucketName: bucket.name } });
        const { minimumSize, rules } = lifecycle;
        return rawXmlResponse(
          writeLifecycle(rules),
          minimumSize === undefined ? {} : { [MINIMUM_SIZE_HEADER]: minimumSize },
        );
      },
    },
    {
      ...selected,
      name: 'PutBucketLifecycleConfiguration',
      method: 'PUT',
      async handle(request, bucket) {
        const body = await bodyOf(request);
        const lifecycle = readLifecycle(body, request.header(MINIMUM_SIZE_HEADER), randomUUID);
        await settings.setLifecycle(bucket, lifecycle);
        return emptyOk({ [MINIMUM_SIZE_HEADER]: lifecycle.minimumSize });
      },
    },
    {
      ...selected,
      name: 'DeleteBucketLifecycle',
      method: 'DELETE',
      async handle(_, bucket) {
        await settings.setLifecycle(bucket, undefined);
        return noContent();
      },
    },
  ];
}
