/** All operations of the S3 listener on buckets and their settings. */
import type { Buckets, S3Settings } from '../../../storage/buckets/index.ts';
import type { ObjectEvents } from '../../../storage/object-events/index.ts';
import type { Owners } from '../owner.ts';
import type { S3Operation } from '../s3.operation.ts';
import { type AclDeps, aclOperations } from './acl.ts';
import { bucketCrudOperations, type LifetimeDeps } from './bucket-crud.ts';
import { listBucketsOperation } from './list-buckets.ts';
import { policyOperations, publicAccessOperations } from './policy.ts';
import { corsOperations } from './s3-buckets.cors.ts';
import { lifecycleOperations } from './s3-buckets.lifecycle.ts';
import { notificationOperations } from './s3-buckets.notification.ts';
import { bucketTaggingOperations } from './s3-buckets.tagging.ts';
import { stubOperations } from './stubs.ts';

export interface BucketOperationDeps extends LifetimeDeps, AclDeps {
  readonly buckets: Buckets;
  readonly bucketSettings: S3Settings;
  readonly owners: Owners;
  readonly objectEvents: ObjectEvents;
}

export function bucketOperations(deps: BucketOperationDeps): S3Operation[] {
  const { buckets, bucketSettings: settings, owners } = deps;
  return [
    listBucketsOperation(buckets, owners),
    ...bucketCrudOperations(deps),
    ...corsOperations(settings),
    ...lifecycleOperations(settings),
    ...bucketTaggingOperations(settings),
    ...policyOperations(settings),
    ...publicAccessOperations(settings),
    ...aclOperations(deps),
    ...notificationOperations(deps.objectEvents),
    ...stubOperations(),
  ];
}
