/** UploadPartCopy: a range of an object becomes a part. Its bytes are read once, because the answer is their MD5. */
import { type BlobStore, newBlobId, readSegments, writerSink } from '@millpond/blobs';
import { tierOfClass } from '@millpond/protocol';
import { formatXmlTime, S3Fault } from '@millpond/protocol/s3';
import type { HttpResponse } from '../../../platform/web/index.ts';
import type { Bucket } from '../../../storage/buckets/index.ts';
import { BodyDigest, type Objects } from '../../../storage/objects/index.ts';
import { MAX_S3_PART_BYTES } from '../../limits.ts';
import { BodyChecks, checksumElements } from '../objects/body-digests.ts';
import { type CopyDeps, sourceOf } from '../objects/copy.ts';
import { rejectUnsupportedHeaders } from '../objects/description.ts';
import { lastModifiedOf, quoted } from '../objects/etag.ts';
import { xmlResponse } from '../s3.answers.ts';
import type { S3Operation } from '../s3.operation.ts';
import type { S3Request } from '../s3.request.ts';
import { findUpload, parsePartNumber } from './upload-id.ts';
import type { PartDeps } from './upload-part.ts';

export interface CopyPartDeps extends PartDeps, Pick<CopyDeps, 's3Objects' | 'mirror' | 'buckets'> {
  readonly objects: Objects;
  readonly blobs: BlobStore;
}

export function copyPartOperation(deps: CopyPartDeps): S3Operation {
  return {
    name: 'UploadPartCopy',
    method: 'PUT',
    on: 'object',
    parameters: ['partNumber', 'uploadId'],
    header: 'x-amz-copy-source',
    action: 'write',
    handle: (request, bucket, key) => copyPart(deps, request, bucket, key),
  };
}

async function copyPart(
  deps: CopyPartDeps,
  request: S3Request,
  bucket: Bucket,
  key: string,
): Promise<HttpResponse> {
  rejectUnsupportedHeaders(request);
  const { uploads, objects, blobs } = deps;
  const { cancel } = request.context;
  const number = parsePartNumber(request);
  const upload = await findUpload(uploads, request, bucket, key);
  if (upload.is_full) throw new S3Fault('QuotaExceeded');
  const { row } = await sourceOf(deps, request);
  const range = rangeIn(request, Number(row.fsize));
  if (range.length > MAX_S3_PART_BYTES)
    throw new S3Fault('EntityTooLarge', {
      details: { ProposedSize: String(range.length), MaxSizeAllowed: String(MAX_S3_PART_BYTES) },
    });
  const checks = new BodyChecks(undefined, { algorithm: upload.s3.checksum?.algorithm });
  const digest = new BodyDigest(MAX_S3_PART_BYTES, { crc32: false });
  const id = newBlobId();
  const stop = new AbortController();
  const writer = blobs.openWriter(id, { tier: tierOfClass(upload.class), signal: cancel, freeChunks: true });
  const sink = writerSink(writer, (error) => stop.abort(error));
  const hashed = {
    write(chunk: Uint8Array) {
      digest.update(chunk as Buffer);
      checks.update(chunk);
      return sink.write(chunk);
    },
    once: (event: 'drain', listener: () => void) => sink.once(event, listener),
  };
  try {
    const segments = (await objects.segments(row, cancel)).map(({ segment_id, size }) => ({
      id: segment_id,
      size: Number(size),
    }));
    await readSegments(blobs, segments, range, hashed, AbortSignal.any([cancel, stop.signal]));
    await writer.finish();
  } catch (error) {
    await writer.abort();
    throw error;
  }
  const { md5, checksum } = checks.finish();
  const { size, hash } = digest.finish();
  const putTime = await uploads.putPart({
    uploadId: upload.upload_id,
    number,
    segmentId: id,
    size,
    etag: hash,
    md5,
    checksum: checksum?.value,
  });
  return xmlResponse('CopyPartResult', {
    LastModified: formatXmlTime(lastModifiedOf({ put_time: putTime })),
    ETag: quoted(Buffer.from(md5).toString('hex')),
    ...checksumElements(checksum),
  });
}

/** Both ends, inside the source; without a range all of it. */
function rangeIn({ header }: S3Request, size: number): { readonly offset: number; readonly length: number } {
  const text = header('x-amz-copy-source-range');
  if (text === undefined) return { offset: 0, length: size };
  const [, first, last] = /^bytes=(\d{1,15})-(\d{1,15})$/.exec(text) ?? [];
  const [from, to] = [Number(first), Number(last)];
  if (first === undefined || from > to)
    throw new S3Fault('InvalidArgument', {
      message:
        'The x-amz-copy-source-range value must be of the form bytes=first-last where first and last are the zero-based offsets of the first and last bytes to copy',
      details: { ArgumentName: 'x-amz-copy-source-range', ArgumentValue: text },
    });
  if (to >= size)
    throw new S3Fault('InvalidRange', {
      details: { RangeRequested: text, ActualObjectSize: String(size) },
    });
  return { offset: from, length: to - from + 1 };
}
