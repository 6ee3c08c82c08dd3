/** CreateMultipartUpload: the object is described now, and made when its parts are completed. */
import {
  type ChecksumAlgorithm,
  type ChecksumType,
  checksumTypeOf,
  parseChecksumAlgorithm,
  S3Fault,
} from '@millpond/protocol/s3';
import type { S3Uploads } from '../../../transfer/uploads/index.ts';
import { descriptionIn, rejectUnsupportedHeaders, storageClassIn, tagsIn } from '../objects/description.ts';
import { xmlResponse } from '../s3.answers.ts';
import type { S3Operation } from '../s3.operation.ts';
import type { S3Request } from '../s3.request.ts';

interface PartsChecksum {
  readonly algorithm: ChecksumAlgorithm;
  readonly type: ChecksumType;
}

export function beginOperation({ uploads }: { readonly uploads: S3Uploads }): S3Operation {
  return {
    name: 'CreateMultipartUpload',
    method: 'POST',
    on: 'object',
    parameters: ['uploads'],
    action: 'write',
    async handle(request, bucket, key) {
      rejectUnsupportedHeaders(request);
      const checksum = checksumIn(request);
      const description = { ...descriptionIn(request), tags: tagsIn(request), checksum };
      const uploadId = await uploads.begin(bucket, key, storageClassIn(request), description);
      return xmlResponse(
        'InitiateMultipartUploadResult',
        { Bucket: bucket.name, Key: key, UploadId: uploadId },
        checksum && {
          'x-amz-checksum-algorithm': checksum.algorithm,
          'x-amz-checksum-type': checksum.type,
        },
      );
    },
  };
}

function checksumIn({ header }: S3Request): PartsChecksum | undefined {
  const name = header('x-amz-checksum-algorithm');
  const type = header('x-amz-checksum-type');
  if (name === undefined) {
    if (type === undefined) return undefined;
    throw new S3Fault('InvalidRequest', {
      message: 'The x-amz-checksum-type header can only be used with the x-amz-checksum-algorithm header.',
    });
  }
  const algorithm = parseChecksumAlgorithm(name);
  return { algorithm, type: checksumTypeOf(algorithm, type) };
}
