/** How the S3 listener declares what it answers: one value per operation, under AWS's name. */
import type { KeyAction } from '@millpond/protocol';
import type { HttpResponse } from '../../platform/web/index.ts';
import type { Bucket } from '../../storage/buckets/index.ts';
import type { S3Request } from './s3.request.ts';

interface OperationBase {
  /** AWS's name, as documentation and policies have it. */
  readonly name: string;
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  /** Query parameters whose presence selects it; their values do not matter. */
  readonly parameters?: readonly string[];
  /** Parameters of sub-resources that it also takes, without being selected by them. */
  readonly optional?: readonly string[];
  /** A header whose presence selects it. */
  readonly header?: string;
  /** What a key with limits must be allowed to do. */
  readonly action: KeyAction;
}

/** On no bucket: `/`. */
export interface ServiceOperation extends OperationBase {
  readonly on: 'service';
  handle(request: S3Request): Promise<HttpResponse>;
}

/** On a bucket that may not exist yet. */
export interface CreateBucketOperation extends OperationBase {
  readonly on: 'new bucket';
  handle(request: S3Request, bucketName: string): Promise<HttpResponse>;
}

/** On a bucket of the caller; found, owned and counted before `handle` is called. */
export interface BucketOperation extends OperationBase {
  readonly on: 'bucket';
  /**
   * What a key with limits is judged by: `prefix`, that of a list; `itself`, the operation judges each object that it names, or
   * tells nothing that the key may not know. Default: the whole bucket.
   */
  readonly limitScope?: 'prefix' | 'itself';
  /** It needs no more than the bucket's record, which every region has. */
  readonly inAnyRegion?: true;
  handle(request: S3Request, bucket: Bucket): Promise<HttpResponse>;
}

export interface ObjectOperation extends OperationBase {
  readonly on: 'object';
  /** Anybody may, if the bucket is public. */
  readonly isPublic?: true;
  /** Undefined: the operation has taken over the response. */
  handle(request: S3Request, bucket: Bucket, key: string): Promise<HttpResponse | undefined>;
}

export type S3Operation = ServiceOperation | CreateBucketOperation | BucketOperation | ObjectOperation;
