/** Uploads in parts by S3. */
import { createHash } from 'node:crypto';
import { etagOfParts } from '@millpond/protocol';
import { hashing } from '@millpond/testing';
import fc from 'fast-check';
import { KIB, MIB } from '../../load/contents.ts';
import type { SystemUnderTest } from '../command.ts';
import { type Content, contentIn } from '../contents.ts';
import { NEW, type Upload } from '../state.ts';
import { elementsIn, pathOf, type S3Call, type WireResponse } from '../wire.ts';
import type { PartProtocol } from './parts.ts';
import { CLASSES } from './s3-objects.ts';

const MIME_TYPE = 'text/x-s3-parts';

export const s3Parts: PartProtocol = {
  name: 's3',
  sizes: fc.oneof(
    { weight: 20, arbitrary: fc.constantFrom(KIB, 1, 300 * KIB) },
    { weight: 1, arbitrary: fc.constant(5 * MIB) },
  ),
  minBytes: 5 * MIB,
  way: 's3-parts',
  statuses: { noBucket: 404, gone: 404, aborted: 204 },
  held: (parts, content, type) => ({
    ...NEW,
    content,
    type,
    mimeType: MIME_TYPE,
    detectedType: MIME_TYPE,
    caching: 'no-cache',
    hash: etagOfParts(
      hashing,
      parts.map(({ bytes, hash }) => ({ size: bytes.length, etag: hash })),
    ),
    etag: etagOf(parts),
  }),
  begin: (system, bucket, key, type) =>
    system.wire.s3({
      method: 'POST',
      path: pathOf(bucket, key),
      query: { uploads: '' },
      headers: {
        'content-type': MIME_TYPE,
        'cache-control': 'no-cache',
        ...(type !== 0 && { 'x-amz-storage-class': CLASSES[type] ?? '' }),
      },
    }),
  idIn: (answer) => elementsIn(answer, 'UploadId')[0] ?? '',
  put: (system, bucket, upload, number, body) =>
    call(system, 'PUT', bucket, upload, { query: { partNumber: String(number) }, body }),
  list: (system, bucket, upload) => call(system, 'GET', bucket, upload),
  listedIn(answer) {
    const sizes = elementsIn(answer, 'Size').map(Number);
    return elementsIn(answer, 'PartNumber').map((number, at) => [Number(number), sizes[at] ?? 0]);
  },
  complete(system, bucket, upload) {
    const parts = [...upload.parts]
      .toSorted(([one], [other]) => one - other)
      .map(([number, { md5 }]) => `<Part><PartNumber>${number}</PartNumber><ETag>"${md5}"</ETag></Part>`);
    const xml = `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`;
    return call(system, 'POST', bucket, upload, { body: contentIn(Buffer.from(xml)) });
  },
  wrongCompletion(answer, { etag }) {
    const [found] = elementsIn(answer, 'ETag');
    return found === `&quot;${etag}&quot;` ? undefined : `ETag ${found} instead of ${etag}`;
  },
  abort: (system, bucket, upload) => call(system, 'DELETE', bucket, upload),
};

function etagOf(parts: readonly Content[]): string {
  const md5 = createHash('md5');
  for (const part of parts) md5.update(Buffer.from(part.md5, 'hex'));
  return `${md5.digest('hex')}-${parts.length}`;
}

function call(
  system: SystemUnderTest,
  method: S3Call['method'],
  bucket: string,
  { at, id }: Upload,
  { query, ...more }: Pick<S3Call, 'query' | 'body'> = {},
): Promise<WireResponse> {
  return system.wire.s3({ method, path: pathOf(bucket, at.key), query: { ...query, uploadId: id }, ...more });
}
