/** Who but the owner may read: the one policy that there is, and the switches that keep it from being set. */
import {
  readPublicAccessBlock,
  readPublicPolicy,
  S3Fault,
  writePolicyStatus,
  writePublicAccessBlock,
} from '@millpond/protocol/s3';
import type { S3Settings } from '../../../storage/buckets/index.ts';
import { emptyOk, noContent } from '../s3.answers.ts';
import { bodyOf } from '../s3.body.ts';
import type { BucketOperation } from '../s3.operation.ts';
import { rawXmlResponse } from './raw-xml.ts';

const administered = { on: 'bucket', action: 'administer' } as const;

export function policyOperations(settings: S3Settings): BucketOperation[] {
  const selected = { ...administered, parameters: ['policy'] } as const;
  return [
    {
      ...selected,
      name: 'GetBucketPolicy',
      method: 'GET',
      async handle(_, bucket) {
        const policy = await settings.policy(bucket);
        if (policy === undefined)
          throw new S3Fault('NoSuchBucketPolicy', { details: { BucketName: bucket.name } });
        return { status: 200, headers: { 'content-type': 'application/json' }, body: policy };
      },
    },
    {
      ...selected,
      name: 'PutBucketPolicy',
      method: 'PUT',
      async handle(request, bucket) {
        const policy = readPublicPolicy(await bodyOf(request), bucket.name);
        if (!(await settings.setPolicy(bucket, policy)))
          throw new S3Fault('AccessDenied', {
            hint: "the bucket's public access block forbids public policies",
          });
        return noContent();
      },
    },
    {
      ...selected,
      name: 'DeleteBucketPolicy',
      method: 'DELETE',
      async handle(_, bucket) {
        await settings.removePolicy(bucket);
        return noContent();
      },
    },
    {
      ...administered,
      name: 'GetBucketPolicyStatus',
      method: 'GET',
      parameters: ['policyStatus'],
      handle: async (_, bucket) => rawXmlResponse(writePolicyStatus(await settings.isPublic(bucket))),
    },
  ];
}

export function publicAccessOperations(settings: S3Settings): BucketOperation[] {
  const selected = { ...administered, parameters: ['publicAccessBlock'] } as const;
  return [
    {
      ...selected,
      name: 'GetPublicAccessBlock',
      method: 'GET',
      async handle(_, bucket) {
        const block = await settings.accessBlock(bucket);
        if (block === undefined)
          throw new S3Fault('NoSuchPublicAccessBlockConfiguration', { details: { BucketName: bucket.name } });
        return rawXmlResponse(writePublicAccessBlock(block));
      },
    },
    {
      ...selected,
      name: 'PutPublicAccessBlock',
      method: 'PUT',
      async handle(request, bucket) {
        await settings.setAccessBlock(bucket, readPublicAccessBlock(await bodyOf(request)));
        return emptyOk();
      },
    },
    {
      ...selected,
      name: 'DeletePublicAccessBlock',
      method: 'DELETE',
      async handle(_, bucket) {
        await settings.setAccessBlock(bucket, undefined);
        return noContent();
      },
    },
  ];
}
