/** From a request to its operation: chosen by method, place, parameters and headers; then bucket and caller are checked. */
import type { RequiredPermission } from '@millpond/protocol';
import { S3Fault } from '@millpond/protocol/s3';
import type { HttpResponse } from '../../platform/web/index.ts';
import type { Bucket, Buckets } from '../../storage/buckets/index.ts';
import { assertRequestWithinLimits } from './request-limits.ts';
import type { BucketOperation, ObjectOperation, S3Operation } from './s3.operation.ts';
import { keyOf, type S3Request } from './s3.request.ts';
import { redirectToRegion, regionHeader } from './wrong-region.ts';

export interface DispatchDeps {
  readonly operations: readonly S3Operation[];
  readonly buckets: Buckets;
  /** Counts requests. */
  readonly onRequest: (bucket: Bucket, operation: S3Operation) => void;
}

/**
 * Parameters that name a part of a bucket or an object. A request with one that no operation answers must not be taken for a
 * request without it: that would read, overwrite or delete the object itself.
 */
const SUB_RESOURCES: ReadonlySet<string> = new Set([
  'accelerate',
  'acl',
  'analytics',
  'attributes',
  'cors',
  'delete',
  'encryption',
  'intelligent-tiering',
  'inventory',
  'legal-hold',
  'lifecycle',
  'location',
  'logging',
  'metadataTable',
  'metrics',
  'notification',
  'object-lock',
  'ownershipControls',
  'partNumber',
  'policy',
  'policyStatus',
  'publicAccessBlock',
  'renameObject',
  'replication',
  'requestPayment',
  'restore',
  'retention',
  'select',
  'session',
  'tagging',
  'torrent',
  'uploadId',
  'uploads',
  'versioning',
  'versions',
  'website',
]);

export class Dispatch {
  readonly #deps: DispatchDeps;
  readonly #byMethod: ReadonlyMap<string, readonly S3Operation[]>;

  constructor(deps: DispatchDeps) {
    this.#deps = deps;
    // The most specific first: a copy is a put with one more header.
    const sorted = deps.operations.toSorted((one, other) => specificity(other) - specificity(one));
    this.#byMethod = Map.groupBy(sorted, ({ method, on }) => `${method} ${placeKind(on)}`);
  }

  async answer(request: S3Request): Promise<HttpResponse | undefined> {
    const operation = this.#operation(request);
    const { bucket: name } = request.place;
    if (operation.on === 'service' || operation.on === 'new bucket') requireIdentity(request);
    if (operation.on === 'service') {
      assertRequestWithinLimits(request, { action: operation.action, some: true });
      return operation.handle(request);
    }
    if (operation.on === 'new bucket') {
      assertRequestWithinLimits(request, { action: operation.action, bucket: name ?? '' });
      return operation.handle(request, name ?? '');
    }
    const bucket = await this.#bucket(request, name ?? '', operation);
    if (operation.on === 'bucket') {
      assertRequestWithinLimits(request, bucketPermissions(operation, request, bucket));
      return operation.handle(request, bucket);
    }
    const key = keyOf(request.place);
    assertRequestWithinLimits(request, { action: operation.action, bucket: bucket.name, key });
    return operation.handle(request, bucket, key);
  }

  #operation(request: S3Request): S3Operation {
    const { place, query, method } = request;
    const kind =
      place.bucket === undefined ? 'service' : place.encodedKey === undefined ? 'bucket' : 'object';
    const found = this.#byMethod
      .get(`${method} ${kind}`)
      ?.find(
        ({ parameters = [], header }) =>
          parameters.every((name) => query.has(name)) &&
          (header === undefined || request.header(header) !== undefined),
      );
    const asked = [...query.keys()].find((name) => SUB_RESOURCES.has(name));
    if (found === undefined) throw new S3Fault(asked === undefined ? 'MethodNotAllowed' : 'NotImplemented');
    if (asked !== undefined && !isAskedOf(found, asked))
      throw new S3Fault('NotImplemented', { hint: `?${asked} is not offered here` });
    return found;
  }

  async #bucket(
    request: S3Request,
    name: string,
    operation: BucketOperation | ObjectOperation,
  ): Promise<Bucket> {
    const bucket = await this.#deps.buckets.byName(name);
    if (bucket === undefined) throw new S3Fault('NoSuchBucket', { details: { BucketName: name } });
    const isOpen = operation.on === 'object' && operation.isPublic && !bucket.isPrivate;
    const refusal = isOpen ? undefined : ownerRefusal(request, bucket);
    const hint = refusal ?? expectationRefusal(request, bucket);
    if (hint !== undefined) throw new S3Fault('AccessDenied', { hint, headers: regionHeader(bucket) });
    if (operation.on !== 'bucket' || !operation.inAnyRegion)
      await redirectToRegion(this.#deps.buckets, bucket);
    this.#deps.onRequest(bucket, operation);
    return bucket;
  }
}

/** Lists are judged by their prefix; what names objects in its body is judged for each of them. */
function bucketPermissions(
  { action, limitScope }: BucketOperation,
  { query }: S3Request,
  { name }: Bucket,
): RequiredPermission {
  if (limitScope === 'prefix') return { action, bucket: name, prefix: query.get('prefix') ?? '' };
  return limitScope === 'itself' ? { action, bucket: name, some: true } : { action, bucket: name };
}

function ownerRefusal({ identity }: S3Request, { uid }: Bucket): string | undefined {
  if (identity === undefined) return 'sign the request';
  return identity.key.uid === uid ? undefined : 'the bucket belongs to another account';
}

function expectationRefusal({ header }: S3Request, { uid }: Bucket): string | undefined {
  const owner = header('x-amz-expected-bucket-owner');
  return owner === undefined || owner === String(uid)
    ? undefined
    : 'x-amz-expected-bucket-owner names another account';
}

function requireIdentity({ identity }: S3Request): void {
  if (identity === undefined) throw new S3Fault('AccessDenied', { hint: 'sign the request' });
}

/** A part of an upload is named by two parameters; `?partNumber` alone names a part of an object that is read. */
function isAskedOf({ parameters = [], optional = [] }: S3Operation, asked: string): boolean {
  return parameters.includes(asked) || optional.includes(asked);
}

function specificity({ parameters = [], header }: S3Operation): number {
  return 2 * parameters.length + (header === undefined ? 0 : 1);
}

function placeKind(on: S3Operation['on']): 'service' | 'bucket' | 'object' {
  return on === 'new bucket' ? 'bucket' : on;
}
