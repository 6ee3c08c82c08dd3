/** The object that a request is about, if it may be read. */
import { Fault } from '@millpond/protocol';
import { S3Fault, storageClassName } from '@millpond/protocol/s3';
import type { Bucket } from '../../buckets/index.ts';
import { refuseUnrestored, type S3ObjectRow, type S3Objects } from '../../objects/index.ts';

/** `versionId` may name the only version there is. */
export function checkVersion(version: string | undefined): void {
  if (version !== undefined && version !== 'null')
    throw new S3Fault('NoSuchVersion', { details: { VersionId: version } });
}

export async function existing(
  objects: S3Objects,
  bucket: Bucket,
  key: string,
  cancel: AbortSignal,
): Promise<S3ObjectRow> {
  const row = await objects.find(bucket, key, cancel);
  if (row === undefined) throw new S3Fault('NoSuchKey', { details: { Key: key } });
  if (row.status !== 0) throw new S3Fault('AccessDenied', { hint: 'the object is disabled' });
  return row;
}

export function refuseFrozen(row: S3ObjectRow): void {
  try {
    refuseUnrestored(row);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    throw new S3Fault('InvalidObjectState', {
      hint: 'restore it first',
      details: { StorageClass: storageClassName(row.class) },
    });
  }
}
