/** Uploads in parts by S3. */
import { createHash } from 'node:crypto';
import { etagOfParts } from '@millpond/protocol';
import { hashing } from '@millpond/testing';
import fc from 'fast-check';
import { KIB, MIB } from '../../load/contents.ts';
import type { Real } from '../command.ts';
import { type Content, contentIn } from '../contents.ts';
import { NEW, type Upload } from '../state.ts';
import { type Answer, elementsIn, pathOf, type S3Call } from '../wire.ts';
import type { PartProtocol } from './parts.ts';
import { CLASSES } from './s3-objects.ts';

const MIME_TYPE = 'text/x-s3-parts';

export const s3Parts: PartProtocol = {
  name: 's3',
  sizes: fc.oneof(
    { weight: 20, arbitrary: fc.constantFrom(KIB, 1, 300 * KIB) },
    { weight: 1, arbitrary: fc.constant(5 * MIB) },
  ),
  leastBytes: 5 * MIB,
  way: 's3-parts',
  statuses: { noBucket: 404, gone: 404, aborted: 204 },
  held: (parts, content, type) => ({
    ...{ ...NEW, content, type, mimeType: MIME_TYPE, detectedType: MIME_TYPE, caching: 'no-cache' },
    hash: etagOfParts(
      hashing,
      parts.map(({ bytes, hash }) => ({ size: bytes.length, etag: hash })),
    ),
    etag: etagOf(parts),
  }),
  begin: (real, bucket, key, type) =>
    real.wire.s3({
      ...{ method: 'POST', path: pathOf(bucket, key), query: { uploads: '' } },
      headers: {
        'content-type': MIME_TYPE,
        'cache-control': 'no-cache',
        ...(type !== 0 && { 'x-amz-storage-class': CLASSES[type] ?? '' }),
      },
    }),
  idIn: (answer) => elementsIn(answer, 'UploadId')[0] ?? '',
  put: (real, bucket, upload, number, body) =>
    call(real, 'PUT', bucket, upload, { query: { partNumber: String(number) }, body }),
  list: (real, bucket, upload) => call(real, 'GET', bucket, upload),
  listedIn(answer) {
    const sizes = elementsIn(answer, 'Size').map(Number);
    return elementsIn(answer, 'PartNumber').map((number, at) => [Number(number), sizes[at] ?? 0]);
  },
  complete(real, bucket, upload) {
    const parts = [...upload.parts]
      .toSorted(([one], [other]) => one - other)
      .map(([number, { md5 }]) => `<Part><PartNumber>${number}</PartNumber><ETag>"${md5}"</ETag></Part>`);
    const xml = `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`;
    return call(real, 'POST', bucket, upload, { body: contentIn(Buffer.from(xml)) });
  },
  wrongCompletion(answer, { etag }) {
    const [found] = elementsIn(answer, 'ETag');
    return found === `&quot;${etag}&quot;` ? undefined : `ETag ${found} instead of ${etag}`;
  },
  abort: (real, bucket, upload) => call(real, 'DELETE', bucket, upload),
};

function etagOf(parts: readonly Content[]): string {
  const md5 = createHash('md5');
  for (const part of parts) md5.update(Buffer.from(part.md5, 'hex'));
  return `${md5.digest('hex')}-${parts.length}`;
}

function call(
  real: Real,
  method: S3Call['method'],
  bucket: string,
  { at, id }: Upload,
  { query, ...more }: Pick<S3Call, 'query' | 'body'> = {},
): Promise<Answer> {
  return real.wire.s3({ method, path: pathOf(bucket, at.key), query: { ...query, uploadId: id }, ...more });
}
