/** ACLs of buckets and objects: the owner has full control, nobody else any. Writing that again is accepted. */
import { checkAcl, checkCannedAcl, S3Fault, writeAcl } from '@millpond/protocol/s3';
import type { Bucket } from '../../buckets/index.ts';
import type { S3Objects } from '../../objects/index.ts';
import { doneAnswer } from '../answers.ts';
import { bodyOf } from '../body.ts';
import { checkVersion, existing } from '../objects/readable.ts';
import type { BucketOperation, ObjectOperation, S3Operation } from '../operation.ts';
import type { Owners } from '../owner.ts';
import type { S3Request } from '../request.ts';
import { writtenAnswer } from './written.ts';

export interface AclDeps {
  readonly owners: Owners;
  readonly s3Objects: S3Objects;
}

export function aclOperations({ owners, s3Objects }: AclDeps): S3Operation[] {
  const ofBucket = { on: 'bucket', parameters: ['acl'], action: 'administer' } as const;
  const ofObject = { on: 'object', parameters: ['acl'] } as const;
  const ownerOf = async ({ uid }: Bucket) => {
    const { ID, DisplayName } = await owners(uid);
    return { id: ID, name: DisplayName };
  };
  const check = async (request: S3Request, bucket: Bucket, of: 'bucket' | 'object') => {
    const body = await bodyOf(request);
    const canned = request.header('x-amz-acl');
    refuseGrants(request);
    if (canned !== undefined) checkCannedAcl(canned, of);
    else checkAcl(body, await ownerOf(bucket));
  };
  const checkObject = async ({ call, query }: S3Request, bucket: Bucket, key: string) => {
    checkVersion(query.get('versionId'));
    await existing(s3Objects, bucket, key, call.cancel);
  };
  const bucketAcl: BucketOperation[] = [
    {
      ...{ ...ofBucket, name: 'GetBucketAcl', method: 'GET' },
      handle: async (_, bucket) => writtenAnswer(writeAcl(await ownerOf(bucket))),
    },
    {
      ...{ ...ofBucket, name: 'PutBucketAcl', method: 'PUT' },
      async handle(request, bucket) {
        await check(request, bucket, 'bucket');
        return doneAnswer();
      },
    },
  ];
  const objectAcl: ObjectOperation[] = [
    {
      ...{ ...ofObject, name: 'GetObjectAcl', method: 'GET', action: 'read' },
      async handle(request, bucket, key) {
        await checkObject(request, bucket, key);
        return writtenAnswer(writeAcl(await ownerOf(bucket)));
      },
    },
    {
      ...{ ...ofObject, name: 'PutObjectAcl', method: 'PUT', action: 'write' },
      async handle(request, bucket, key) {
        await checkObject(request, bucket, key);
        await check(request, bucket, 'object');
        return doneAnswer();
      },
    },
  ];
  return [...bucketAcl, ...objectAcl];
}

/** Nobody else can be given anything. */
export function refuseGrants(request: S3Request): void {
  for (const [name] of request.headers()) {
    if (name.startsWith('x-amz-grant-')) throw new S3Fault('AccessControlListNotSupported');
  }
}
