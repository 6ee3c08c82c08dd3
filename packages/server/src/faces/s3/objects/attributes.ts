/** GetObjectAttributes: what is known of an object, without its bytes. */
import { formatHttpDate, MAX_PARTS } from '@millpond/protocol';
import { S3Fault, storageClassName, type XmlChildren } from '@millpond/protocol/s3';
import type { HttpResponse } from '../../../platform/web/index.ts';
import type { Bucket } from '../../../storage/buckets/index.ts';
import type { S3ObjectRow, S3Objects } from '../../../storage/objects/index.ts';
import { xmlResponse } from '../s3.answers.ts';
import type { S3Operation } from '../s3.operation.ts';
import type { S3Request } from '../s3.request.ts';
import { checksumElements } from './body-digests.ts';
import { etagOf, lastModifiedOf } from './etag.ts';
import { checkVersion, existingOrMirrored, type ReadDeps } from './require-object.ts';

const ATTRIBUTES = ['ETag', 'Checksum', 'ObjectParts', 'StorageClass', 'ObjectSize'];
const MAX_LISTED_PARTS = 1000;

export function attributesOperation(deps: ReadDeps): S3Operation {
  return {
    name: 'GetObjectAttributes',
    method: 'GET',
    on: 'object',
    parameters: ['attributes'],
    action: 'read',
    handle: (request, bucket, key) => attributes(deps, request, bucket, key),
  };
}

async function attributes(
  deps: ReadDeps,
  request: S3Request,
  bucket: Bucket,
  key: string,
): Promise<HttpResponse> {
  checkVersion(request.query.get('versionId'));
  const asked = parseRequestedAttributes(request);
  const row = await existingOrMirrored(deps, bucket, key, request.context.cancel);
  const shows = (name: string, content: XmlChildren[string]): XmlChildren =>
    asked.has(name) ? { [name]: content } : {};
  return xmlResponse(
    'GetObjectAttributesResponse',
    {
      ...shows('ETag', etagOf(row)),
      ...shows('Checksum', row.checksum === null ? undefined : checksumElements(row.checksum)),
      ...(asked.has('ObjectParts')
        ? { ObjectParts: await partsOf(deps.s3Objects, request, bucket, row) }
        : {}),
      ...shows('StorageClass', storageClassName(row.class)),
      ...shows('ObjectSize', Number(row.fsize)),
    },
    { 'last-modified': formatHttpDate(lastModifiedOf(row)) },
  );
}

function parseRequestedAttributes({ header }: S3Request): ReadonlySet<string> {
  const names = (header('x-amz-object-attributes') ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  if (names.length === 0)
    throw new S3Fault('InvalidRequest', {
      hint: `name some of ${ATTRIBUTES.join(', ')} in x-amz-object-attributes`,
    });
  const unknown = names.find((name) => !ATTRIBUTES.includes(name));
  if (unknown !== undefined)
    throw new S3Fault('InvalidArgument', {
      message: 'Invalid attribute name specified.',
      details: { ArgumentName: 'x-amz-object-attributes', ArgumentValue: unknown },
    });
  return new Set(names);
}

async function partsOf(
  objects: S3Objects,
  request: S3Request,
  bucket: Bucket,
  row: S3ObjectRow,
): Promise<XmlChildren | undefined> {
  const parts = row.md5_parts ? await objects.partList(bucket, row) : null;
  if (parts === null) return undefined;
  const most = numberIn(request, 'x-amz-max-parts', MAX_LISTED_PARTS);
  const after = numberIn(request, 'x-amz-part-number-marker', 0);
  const shown = parts.slice(after, after + most);
  const element = row.checksum && `Checksum${row.checksum.algorithm}`;
  return {
    PartsCount: parts.length,
    PartNumberMarker: after,
    NextPartNumberMarker: after + shown.length,
    MaxParts: most,
    IsTruncated: after + shown.length < parts.length,
    Part: shown.map(([size, checksum], at) => ({
      PartNumber: after + at + 1,
      Size: size,
      ...(element && checksum !== null ? { [element]: checksum } : {}),
    })),
  };
}

function numberIn({ header }: S3Request, name: string, fallback: number): number {
  const text = header(name);
  if (text === undefined) return fallback;
  if (!/^\d{1,5}$/.test(text)) throw new S3Fault('InvalidArgument', { hint: `${name} must be a number` });
  return Math.min(Number(text), name === 'x-amz-max-parts' ? MAX_LISTED_PARTS : MAX_PARTS);
}
