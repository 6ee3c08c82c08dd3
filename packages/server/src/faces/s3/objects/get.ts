/** GetObject and HeadObject: conditions, one range or one part, and the bytes. */
import type { BlobStore } from '@millpond/blobs';
import { formatContentRange, MAX_PARTS } from '@millpond/protocol';
import { evaluateReadConditions, rangeOf, S3Fault } from '@millpond/protocol/s3';
import type { HttpResponse } from '../../../platform/web/index.ts';
import type { Bucket } from '../../../storage/buckets/index.ts';
import type { Objects, S3ObjectRow } from '../../../storage/objects/index.ts';
import { sendBytes } from '../../../transfer/downloads/index.ts';
import { expirationHeader } from '../buckets/expiration.ts';
import type { S3Operation } from '../s3.operation.ts';
import type { S3Request } from '../s3.request.ts';
import { etagOf, lastModifiedOf } from './etag.ts';
import { checksumHeaders, objectHeaders, overridesIn } from './object-headers.ts';
import { assertNotArchived, checkVersion, existingOrMirrored, type ReadDeps } from './require-object.ts';

export interface GetDeps extends ReadDeps {
  readonly objects: Objects;
  readonly blobs: BlobStore;
}

interface Chosen {
  readonly offset: number;
  readonly length: number;
  readonly isPartial: boolean;
  readonly headers: Record<string, string>;
}

export function getOperations(deps: GetDeps): S3Operation[] {
  return (['GET', 'HEAD'] as const).map((method) => ({
    name: method === 'GET' ? 'GetObject' : 'HeadObject',
    method,
    on: 'object',
    optional: ['partNumber'],
    action: 'read',
    isPublic: true,
    handle: (request, bucket, key) => read(deps, request, bucket, key),
  }));
}

async function read(
  deps: GetDeps,
  request: S3Request,
  bucket: Bucket,
  key: string,
): Promise<HttpResponse | undefined> {
  const { context } = request;
  checkVersion(request.query.get('versionId'));
  const overrides = overridesIn(request);
  if (request.identity === undefined && Object.keys(overrides).length > 0)
    throw new S3Fault('InvalidRequest', { hint: 'response-… parameters need a signed request' });
  const row = await existingOrMirrored(deps, bucket, key, context.cancel);
  const headers = { ...objectHeaders(row, request), ...expirationHeader(bucket, row) };
  const judged = evaluateReadConditions(request.header, {
    etag: etagOf(row),
    lastModified: lastModifiedOf(row),
  });
  if (judged.status === 412)
    throw new S3Fault('PreconditionFailed', { details: { Condition: judged.condition } });
  if (judged.status === 304) return { status: 304, headers, body: '' };
  const isHead = context.request.method === 'HEAD';
  // Judged before the range, as by the other calls.
  if (!isHead) assertNotArchived(row);
  const chosen = await choose(deps, request, bucket, row);
  const answer = { ...headers, ...chosen.headers, ...overrides };
  const status = chosen.isPartial ? 206 : 200;
  if (isHead) {
    context
      .takeOver()
      .writeHead(status, { ...answer, 'content-length': chosen.length })
      .end();
    return undefined;
  }
  await send(deps, request, row, { ...chosen, headers: answer }, status);
  return undefined;
}

async function choose(deps: GetDeps, request: S3Request, bucket: Bucket, row: S3ObjectRow): Promise<Chosen> {
  const size = Number(row.fsize);
  const part = request.query.get('partNumber');
  const range = request.header('range');
  if (part !== undefined) {
    if (range !== undefined)
      throw new S3Fault('InvalidRequest', { hint: 'ask for a range or for a part, not for both' });
    return choosePart(deps, request, bucket, row, part);
  }
  const asked = rangeOf(range, size);
  if (asked.kind === 'whole')
    return { offset: 0, length: size, isPartial: false, headers: checksumHeaders(row, request) };
  if (asked.kind === 'unsatisfiable')
    throw new S3Fault('InvalidRange', {
      headers: { 'content-range': `bytes */${size}` },
      details: { RangeRequested: range ?? '', ActualObjectSize: String(size) },
    });
  return {
    offset: asked.first,
    length: asked.last - asked.first + 1,
    isPartial: true,
    // No checksum: clients would compare that of the whole with these bytes.
    headers: { 'content-range': formatContentRange(asked, size) },
  };
}

async function choosePart(
  { s3Objects }: GetDeps,
  request: S3Request,
  bucket: Bucket,
  row: S3ObjectRow,
  text: string,
): Promise<Chosen> {
  const number = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (number < 1 || number > MAX_PARTS)
    throw new S3Fault('InvalidArgument', { hint: `partNumber must be from 1 to ${MAX_PARTS}` });
  const size = Number(row.fsize);
  const parts = row.md5_parts ? await s3Objects.partList(bucket, row) : null;
  const [length, checksum] =
    parts === null ? [number === 1 ? size : undefined, null] : (parts[number - 1] ?? []);
  if (length === undefined) throw new S3Fault('InvalidPart', { hint: 'the object has no such part' });
  const offset = (parts ?? []).slice(0, number - 1).reduce((sum, [bytes]) => sum + bytes, 0);
  const whole = parts === null ? checksumHeaders(row, request) : partChecksum(row, request, checksum ?? null);
  const counted = parts === null ? {} : { 'x-amz-mp-parts-count': String(parts.length) };
  if (length === 0) return { offset, length, isPartial: false, headers: { ...whole, ...counted } };
  const range = { first: offset, last: offset + length - 1 };
  return {
    offset,
    length,
    isPartial: true,
    headers: { ...whole, ...counted, 'content-range': formatContentRange(range, size) },
  };
}

function partChecksum(row: S3ObjectRow, request: S3Request, value: string | null): Record<string, string> {
  if (value === null || row.checksum === null) return {};
  return checksumHeaders({ checksum: { ...row.checksum, value } }, request);
}

async function send(
  { objects, blobs }: GetDeps,
  { context }: S3Request,
  row: S3ObjectRow,
  { offset, length, headers }: Chosen,
  status: number,
): Promise<void> {
  const segments = await objects.segments(row, context.cancel);
  const response = context.takeOver();
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.setHeader('content-length', length);
  try {
    await sendBytes(blobs, segments, { offset, length }, response, context.cancel);
  } catch (error) {
    // An error is sent instead of the object: what describes the object is not true of it.
    if (!response.headersSent) for (const name of Object.keys(headers)) response.removeHeader(name);
    throw error;
  }
  response.end();
}
