/** UploadPart: the bytes of a part are an engine object as soon as the request is answered. */
import type { BlobStore } from '@millpond/blobs';
import { tierOfClass } from '@millpond/protocol';
import { S3Fault } from '@millpond/protocol/s3';
import { engineBodyWriters } from '../../../platform/small-blobs/index.ts';
import type { HttpResponse } from '../../../platform/web/index.ts';
import type { Bucket } from '../../../storage/buckets/index.ts';
import type { S3Uploads } from '../../../transfer/uploads/index.ts';
import { MAX_S3_PART_BYTES } from '../../limits.ts';
import { checksumHeaders } from '../objects/body-digests.ts';
import { announcedBytes, receiveBytes } from '../objects/body-sink.ts';
import { rejectUnsupportedHeaders } from '../objects/description.ts';
import { quoted } from '../objects/etag.ts';
import { emptyOk } from '../s3.answers.ts';
import type { S3Operation } from '../s3.operation.ts';
import type { S3Request } from '../s3.request.ts';
import { findUpload, parsePartNumber } from './upload-id.ts';

export interface PartDeps {
  readonly uploads: S3Uploads;
  readonly blobs: BlobStore;
  readonly maxObjectSize: number;
}

export function uploadPartOperations(deps: PartDeps): S3Operation[] {
  return [
    {
      name: 'UploadPart',
      method: 'PUT',
      on: 'object',
      parameters: ['partNumber', 'uploadId'],
      action: 'write',
      handle: (request, bucket, key) => uploadPart(deps, request, bucket, key),
    },
    // Without its upload it would be taken for the whole object.
    ...(['partNumber', 'uploadId'] as const).map(
      (parameter): S3Operation => ({
        name: 'UploadPart',
        method: 'PUT',
        on: 'object',
        parameters: [parameter],
        action: 'write',
        async handle() {
          throw new S3Fault('InvalidArgument', { hint: 'a part needs partNumber and uploadId' });
        },
      }),
    ),
  ];
}

async function uploadPart(
  { uploads, blobs, maxObjectSize }: PartDeps,
  request: S3Request,
  bucket: Bucket,
  key: string,
): Promise<HttpResponse> {
  rejectUnsupportedHeaders(request);
  const number = parsePartNumber(request);
  const maxBytes = Math.min(MAX_S3_PART_BYTES, maxObjectSize);
  announcedBytes(request, maxBytes);
  const upload = await findUpload(uploads, request, bucket, key);
  if (upload.is_full) throw new S3Fault('QuotaExceeded');
  const received = await receiveBytes(request, engineBodyWriters(blobs), {
    tier: tierOfClass(upload.class),
    maxBytes,
    algorithm: upload.s3.checksum?.algorithm,
  });
  const { id, size, hash, md5, checksum } = received;
  await uploads.putPart({
    uploadId: upload.upload_id,
    number,
    segmentId: id,
    size,
    etag: hash,
    md5,
    checksum: upload.s3.checksum && checksum?.value,
  });
  return emptyOk({ etag: quoted(Buffer.from(md5).toString('hex')), ...checksumHeaders(checksum) });
}
