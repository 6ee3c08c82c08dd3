/** ACLs of buckets and objects: the owner has full control, nobody else any. Writing that again is accepted. */
import { checkAcl, checkCannedAcl, S3Fault, writeAcl } from '@millpond/protocol/s3';
import type { Bucket } from '../../../storage/buckets/index.ts';
import { checkVersion, existingOrMirrored, type ReadDeps, requireObject } from '../objects/require-object.ts';
import type { Owners } from '../owner.ts';
import { emptyOk } from '../s3.answers.ts';
import { bodyOf } from '../s3.body.ts';
import type { BucketOperation, ObjectOperation, S3Operation } from '../s3.operation.ts';
import type { S3Request } from '../s3.request.ts';
import { rawXmlResponse } from './raw-xml.ts';

export interface AclDeps extends ReadDeps {
  readonly owners: Owners;
}

export function aclOperations({ owners, ...reads }: AclDeps): S3Operation[] {
  const ofBucket = { on: 'bucket', parameters: ['acl'], action: 'administer' } as const;
  const ofObject = { on: 'object', parameters: ['acl'] } as const;
  const ownerOf = async ({ uid }: Bucket) => {
    const { ID, DisplayName } = await owners(uid);
    return { id: ID, name: DisplayName };
  };
  const check = async (request: S3Request, bucket: Bucket, of: 'bucket' | 'object') => {
    const body = await bodyOf(request);
    const canned = request.header('x-amz-acl');
    rejectGrants(request);
    if (canned !== undefined) checkCannedAcl(canned, of);
    else checkAcl(body, await ownerOf(bucket));
  };
  const bucketAcl: BucketOperation[] = [
    {
      ...ofBucket,
      name: 'GetBucketAcl',
      method: 'GET',
      handle: async (_, bucket) => rawXmlResponse(writeAcl(await ownerOf(bucket))),
    },
    {
      ...ofBucket,
      name: 'PutBucketAcl',
      method: 'PUT',
      async handle(request, bucket) {
        await check(request, bucket, 'bucket');
        return emptyOk();
      },
    },
  ];
  const objectAcl: ObjectOperation[] = [
    {
      ...ofObject,
      name: 'GetObjectAcl',
      method: 'GET',
      action: 'read',
      async handle(request, bucket, key) {
        checkVersion(request.query.get('versionId'));
        await existingOrMirrored(reads, bucket, key, request.context.cancel);
        return rawXmlResponse(writeAcl(await ownerOf(bucket)));
      },
    },
    {
      ...ofObject,
      name: 'PutObjectAcl',
      method: 'PUT',
      action: 'write',
      async handle(request, bucket, key) {
        checkVersion(request.query.get('versionId'));
        await requireObject(reads.s3Objects, bucket, key, request.context.cancel);
        await check(request, bucket, 'object');
        return emptyOk();
      },
    },
  ];
  return [...bucketAcl, ...objectAcl];
}

/** Nobody else can be given anything. */
export function rejectGrants(request: S3Request): void {
  for (const [name] of request.headers()) {
    if (name.startsWith('x-amz-grant-')) throw new S3Fault('AccessControlListNotSupported');
  }
}
