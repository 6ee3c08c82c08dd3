/** The object that a request is about, if it may be read. */
import { Fault } from '@millpond/protocol';
import { S3Fault, storageClassName } from '@millpond/protocol/s3';
import type { Bucket } from '../../../storage/buckets/index.ts';
import { assertReadable, type S3ObjectRow, type S3Objects } from '../../../storage/objects/index.ts';
import type { Mirror } from '../../../transfer/fetches/index.ts';

/** `versionId` may name the only version there is. */
export function checkVersion(version: string | undefined): void {
  if (version !== undefined && version !== 'null')
    throw new S3Fault('NoSuchVersion', { details: { VersionId: version } });
}

export interface ReadDeps {
  readonly s3Objects: S3Objects;
  readonly mirror: Pick<Mirror, 'fill'>;
}

export async function requireObject(
  objects: S3Objects,
  bucket: Bucket,
  key: string,
  cancel: AbortSignal,
): Promise<S3ObjectRow> {
  return enabled(await objects.find(bucket, key, cancel), key);
}

/** For what reads: an object missing from a mirrored bucket may come from its sources. */
export async function existingOrMirrored(
  { s3Objects, mirror }: ReadDeps,
  bucket: Bucket,
  key: string,
  cancel: AbortSignal,
): Promise<S3ObjectRow> {
  const row = await s3Objects.find(bucket, key, cancel);
  if (row !== undefined || bucket.mirror === undefined) return enabled(row, key);
  await mirror.fill(bucket, key, cancel);
  return requireObject(s3Objects, bucket, key, cancel);
}

function enabled(row: S3ObjectRow | undefined, key: string): S3ObjectRow {
  if (row === undefined) throw new S3Fault('NoSuchKey', { details: { Key: key } });
  if (row.status !== 0) throw new S3Fault('AccessDenied', { hint: 'the object is disabled' });
  return row;
}

export function assertNotArchived(row: S3ObjectRow): void {
  try {
    assertReadable(row);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    throw new S3Fault('InvalidObjectState', {
      hint: 'restore it first',
      details: { StorageClass: storageClassName(row.class) },
    });
  }
}
