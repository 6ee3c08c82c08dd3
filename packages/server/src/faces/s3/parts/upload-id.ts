/** The upload and the part that a request names. */
import { MAX_PARTS } from '@millpond/protocol';
import { S3Fault } from '@millpond/protocol/s3';
import type { Bucket } from '../../../storage/buckets/index.ts';
import type { S3UploadRow, S3Uploads } from '../../../transfer/uploads/index.ts';
import type { S3Request } from '../s3.request.ts';

export function findUpload(
  uploads: S3Uploads,
  { query }: S3Request,
  bucket: Bucket,
  key: string,
): Promise<S3UploadRow & { readonly is_full: boolean }> {
  return uploads.find(bucket, key, query.get('uploadId') ?? '');
}

export function parsePartNumber({ query }: S3Request): number {
  const text = query.get('partNumber') ?? '';
  const number = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (number < 1 || number > MAX_PARTS)
    throw new S3Fault('InvalidArgument', {
      message: `Part number must be an integer between 1 and ${MAX_PARTS}, inclusive`,
      details: { ArgumentName: 'partNumber', ArgumentValue: text },
    });
  return number;
}
