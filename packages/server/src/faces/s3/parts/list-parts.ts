/** ListParts and AbortMultipartUpload. */
import { formatXmlTime, storageClassName } from '@millpond/protocol/s3';
import type { HttpResponse } from '../../../platform/web/index.ts';
import type { Bucket } from '../../../storage/buckets/index.ts';
import type { S3Uploads } from '../../../transfer/uploads/index.ts';
import { countIn } from '../lists/s3-lists.list-query.ts';
import { lastModifiedOf, quoted } from '../objects/etag.ts';
import type { Owners } from '../owner.ts';
import { noContent, xmlResponse } from '../s3.answers.ts';
import type { S3Operation } from '../s3.operation.ts';
import type { S3Request } from '../s3.request.ts';
import { findUpload } from './upload-id.ts';

export interface ListPartsDeps {
  readonly uploads: S3Uploads;
  readonly owners: Owners;
}

export function listPartsOperations(deps: ListPartsDeps): S3Operation[] {
  const selected = { on: 'object', parameters: ['uploadId'], action: 'write' } as const;
  return [
    {
      ...selected,
      name: 'ListParts',
      method: 'GET',
      handle: (request, bucket, key) => listParts(deps, request, bucket, key),
    },
    {
      ...selected,
      name: 'AbortMultipartUpload',
      method: 'DELETE',
      async handle(request, bucket, key) {
        const upload = await findUpload(deps.uploads, request, bucket, key);
        await deps.uploads.abort(upload.upload_id);
        return noContent();
      },
    },
  ];
}

async function listParts(
  { uploads, owners }: ListPartsDeps,
  request: S3Request,
  bucket: Bucket,
  key: string,
): Promise<HttpResponse> {
  const upload = await findUpload(uploads, request, bucket, key);
  const most = countIn(request, 'max-parts');
  const after = request.query.get('part-number-marker') ? countOf(request) : 0;
  const rows = await uploads.parts(upload.upload_id, after, most + 1);
  const shown = rows.slice(0, most);
  const owner = await owners(bucket.uid);
  const { checksum } = upload.s3;
  return xmlResponse('ListPartsResult', {
    Bucket: bucket.name,
    Key: key,
    UploadId: upload.upload_id,
    Initiator: { ...owner },
    Owner: { ...owner },
    StorageClass: storageClassName(upload.class),
    PartNumberMarker: after,
    NextPartNumberMarker: shown.at(-1)?.part_number ?? after,
    MaxParts: most,
    IsTruncated: rows.length > most,
    ChecksumAlgorithm: checksum?.algorithm,
    ChecksumType: checksum?.type,
    Part: shown.map((part) => ({
      PartNumber: part.part_number,
      LastModified: formatXmlTime(lastModifiedOf(part)),
      ETag: quoted(part.md5.toString('hex')),
      Size: Number(part.size),
      ...(checksum && part.checksum !== null ? { [`Checksum${checksum.algorithm}`]: part.checksum } : {}),
    })),
  });
}

function countOf({ query }: S3Request): number {
  const text = query.get('part-number-marker') ?? '';
  return /^\d{1,5}$/.test(text) ? Number(text) : 0;
}
