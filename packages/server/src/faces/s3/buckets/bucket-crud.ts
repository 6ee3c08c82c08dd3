/** Buckets begin, are found and end: CreateBucket, HeadBucket, GetBucketLocation, DeleteBucket. */
import { Fault, isBucketName } from '@millpond/protocol';
import {
  checkCannedAcl,
  checkOwnership,
  readCreateBucket,
  S3Fault,
  tagsInXml,
  type XmlElement,
} from '@millpond/protocol/s3';
import type { Buckets } from '../../../storage/buckets/index.ts';
import type { ObjectsFeature } from '../../../storage/objects/index.ts';
import { emptyOk, noContent, xmlResponse } from '../s3.answers.ts';
import { bodyOf } from '../s3.body.ts';
import type { BucketOperation, CreateBucketOperation, S3Operation } from '../s3.operation.ts';
import type { S3Request } from '../s3.request.ts';
import { rejectGrants } from './acl.ts';
import { callerOf } from './caller.ts';
import { bucketTags } from './s3-buckets.tagging.ts';

/** What SDKs name where nobody has told them a region. */
const UNTOLD_REGION = 'us-east-1';

export interface LifetimeDeps {
  readonly buckets: Buckets;
  readonly dropBucket: ObjectsFeature['dropBucket'];
  readonly region: string;
}

export function bucketCrudOperations({ buckets, dropBucket, region }: LifetimeDeps): S3Operation[] {
  const creating: CreateBucketOperation = {
    name: 'CreateBucket',
    method: 'PUT',
    on: 'new bucket',
    action: 'administer',
    async handle(request, name) {
      if (!isBucketName(name))
        throw new S3Fault('InvalidBucketName', {
          hint: 'a name has 3 to 63 of a-z, 0-9 and -, and begins and ends with a letter or digit',
          details: { BucketName: name },
        });
      rejectUnsupported(request);
      const { location = region, tags } = readCreateBucket(await bodyOf(request));
      const where = location === UNTOLD_REGION ? region : location;
      const creation = { isPrivate: true, tags: tags && bucketTags(tagsIn(tags)) };
      await buckets.create(callerOf(request).uid, name, where, creation).catch(allowExistingOwn);
      return emptyOk({ location: `/${name}` });
    },
  };
  const others: BucketOperation[] = [
    {
      name: 'HeadBucket',
      method: 'HEAD',
      on: 'bucket',
      action: 'list',
      limitScope: 'itself',
      handle: async () => emptyOk({ 'x-amz-bucket-region': region }),
    },
    {
      name: 'GetBucketLocation',
      method: 'GET',
      on: 'bucket',
      parameters: ['location'],
      action: 'list',
      limitScope: 'itself',
      inAnyRegion: true,
      // Never empty: that would mean us-east-1, and clients sign with what they read here.
      handle: async (_, bucket) => xmlResponse('LocationConstraint', bucket.region),
    },
    {
      name: 'DeleteBucket',
      method: 'DELETE',
      on: 'bucket',
      action: 'administer',
      async handle(_, bucket) {
        await dropBucket(bucket.uid, bucket.name);
        return noContent();
      },
    },
  ];
  return [creating, ...others];
}

/** rclone creates its bucket before every upload in parts: nothing may change then, least of all who may read. */
function allowExistingOwn(error: unknown): void {
  if (!(error instanceof Fault)) throw error;
  if (error.fault === 'incorrectRegion')
    throw new S3Fault('InvalidLocationConstraint', { hint: error.hint, cause: error });
  if (error.fault !== 'bucketExists') throw error;
}

function rejectUnsupported(request: S3Request): void {
  const acl = request.header('x-amz-acl');
  rejectGrants(request);
  if (acl !== undefined) checkCannedAcl(acl, 'bucket', 'InvalidBucketAclWithObjectOwnership');
  const ownership = request.header('x-amz-object-ownership');
  if (ownership !== undefined) checkOwnership(ownership);
  if (request.header('x-amz-bucket-object-lock-enabled')?.toLowerCase() === 'true')
    throw new S3Fault('NotImplemented', { hint: 'objects can not be locked here' });
}

/** `Tags` has the tags that `Tagging/TagSet` has elsewhere. */
function tagsIn({ children }: XmlElement): Readonly<Record<string, string>> {
  return tagsInXml({ name: 'Tagging', text: '', children: [{ name: 'TagSet', text: '', children }] });
}
