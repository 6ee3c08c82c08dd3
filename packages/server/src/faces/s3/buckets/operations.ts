/** All operations of the S3 listener on buckets and their settings. */
import type { Buckets, S3Settings } from '../../../storage/buckets/index.ts';
import type { ObjectEvents } from '../../../storage/object-events/index.ts';
import type { S3Operation } from '../operation.ts';
import type { Owners } from '../owner.ts';
import { type AclDeps, aclOperations } from './acl.ts';
import { corsOperations } from './cors.ts';
import { fixedOperations } from './fixed.ts';
import { lifecycleOperations } from './lifecycle.ts';
import { type LifetimeDeps, lifetimeOperations } from './lifetime.ts';
import { listBucketsOperation } from './list-buckets.ts';
import { notificationOperations } from './notification.ts';
import { policyOperations, publicAccessOperations } from './policy.ts';
import { bucketTaggingOperations } from './tagging.ts';

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
    ...lifetimeOperations(deps),
    ...corsOperations(settings),
    ...lifecycleOperations(settings),
    ...bucketTaggingOperations(settings),
    ...policyOperations(settings),
    ...publicAccessOperations(settings),
    ...aclOperations(deps),
    ...notificationOperations(deps.objectEvents),
    ...fixedOperations(),
  ];
}
