/** Builds the S3 listener: a second protocol on the same objects, with no store of its own. */
import type { Accounts, Keyring } from '../../identity/accounts/index.ts';
import type { UploadTriggers } from '../../media/processing/index.ts';
import type { Feature } from '../../platform/feature.ts';
import type { ObjectBlobs } from '../../platform/small-blobs/index.ts';
import type { Bucket, S3Settings as BucketSettings, Buckets } from '../../storage/buckets/index.ts';
import type { ObjectEvents } from '../../storage/object-events/index.ts';
import type { Objects, ObjectsFeature, S3Objects } from '../../storage/objects/index.ts';
import type { Mirror } from '../../transfer/fetches/index.ts';
import type { S3Uploads } from '../../transfer/uploads/index.ts';
import { bucketOperations } from './buckets/s3-buckets.operations.ts';
import { Dispatch } from './dispatch.ts';
import { postObject } from './form/post-object.ts';
import { identifier } from './identify.ts';
import { listenerRoutes } from './listener.ts';
import { listOperations } from './lists/list-objects.ts';
import { attributesOperation } from './objects/attributes.ts';
import { copyOperation } from './objects/copy.ts';
import { deleteOperations } from './objects/delete.ts';
import { getOperations } from './objects/get.ts';
import { putOperation } from './objects/put.ts';
import { restoreOperation } from './objects/restore.ts';
import { taggingOperations } from './objects/s3-objects.tagging.ts';
import { createOwners } from './owner.ts';
import { completeOperation } from './parts/complete.ts';
import { copyPartOperation } from './parts/copy-part.ts';
import { beginOperation } from './parts/create-multipart-upload.ts';
import { listPartsOperations } from './parts/list-parts.ts';
import { listUploadsOperation } from './parts/list-uploads.ts';
import { uploadPartOperations } from './parts/upload-part.ts';
import type { S3Operation } from './s3.operation.ts';

export interface S3Deps {
  readonly keyring: Keyring;
  readonly accounts: Accounts;
  readonly buckets: Buckets;
  readonly objects: Objects;
  readonly s3Objects: S3Objects;
  readonly mirror: Mirror;
  readonly blobs: ObjectBlobs;
  /** What S3 reads and sets on a bucket. */
  readonly bucketSettings: BucketSettings;
  readonly dropBucket: ObjectsFeature['dropBucket'];
  readonly objectEvents: ObjectEvents;
  readonly uploads: S3Uploads;
  readonly uploadTriggers: UploadTriggers;
  /** Counts requests. */
  readonly onRequest: (bucket: Bucket, kind: 'calls' | 'downloads') => void;
  /** Whether a request could be served now. */
  readonly readiness: { isReady(): Promise<boolean> };
}

/** Settings by name. */
export interface S3Settings {
  readonly region: string;
  readonly signatureV2: boolean;
  readonly adminListen: { readonly port: number };
  readonly maxObjectSize: number;
  readonly controlCache: number;
  readonly controlStale: number;
}

export function createS3(deps: S3Deps, settings: S3Settings): Feature {
  const { accounts, buckets, onRequest } = deps;
  const { maxObjectSize } = settings;
  const times = { freshMs: settings.controlCache, staleMs: settings.controlStale };
  const owners = createOwners(async (uid) => (await accounts.byUid(uid)).email, times);
  const operations: readonly S3Operation[] = [
    ...bucketOperations({ ...deps, owners, region: settings.region }),
    ...getOperations(deps),
    ...deleteOperations(deps),
    ...listOperations({ ...deps, owners }),
    ...taggingOperations(deps),
    attributesOperation(deps),
    restoreOperation(deps),
    putOperation({ ...deps, maxObjectSize }),
    copyOperation(deps),
    beginOperation(deps),
    ...uploadPartOperations({ ...deps, maxObjectSize }),
    copyPartOperation({ ...deps, maxObjectSize }),
    ...listPartsOperations({ ...deps, owners }),
    completeOperation({ ...deps, maxObjectSize }),
    listUploadsOperation({ ...deps, owners }),
  ];
  const dispatch = new Dispatch({
    operations,
    buckets,
    onRequest: (bucket, { name }) => onRequest(bucket, name === 'GetObject' ? 'downloads' : 'calls'),
  });
  const identify = identifier({ ...deps, allowsV2: settings.signatureV2 });
  const post = postObject({ ...deps, maxObjectSize, allowsV2: settings.signatureV2 });
  const probes = { isReady: () => deps.readiness.isReady(), adminPort: settings.adminListen.port };
  return {
    routes: listenerRoutes({ dispatch, identify, buckets, postObject: post, probes }),
    jobs: [],
    metrics: [],
  };
}
