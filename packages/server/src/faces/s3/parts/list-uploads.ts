/** ListMultipartUploads: those begun by S3 and not ended, by key and then by upload. */
import {
  encodeListText,
  formatXmlTime,
  S3Fault,
  storageClassName,
  type XmlChildren,
} from '@millpond/protocol/s3';
import type { HttpResponse } from '../../../platform/web/index.ts';
import type { Bucket } from '../../../storage/buckets/index.ts';
import { endOfPrefix, firstAfterPrefix } from '../../../storage/objects/index.ts';
import {
  isUploadId,
  type ListedUpload,
  type S3UploadRow,
  type S3Uploads,
  type UploadPage,
} from '../../../transfer/uploads/index.ts';
import { countIn, isUrlEncoded } from '../lists/s3-lists.list-query.ts';
import type { Owner, Owners } from '../owner.ts';
import { xmlResponse } from '../s3.answers.ts';
import type { S3Operation } from '../s3.operation.ts';
import type { S3Request } from '../s3.request.ts';

export interface ListUploadsDeps {
  readonly uploads: S3Uploads;
  readonly owners: Owners;
}

/** What one page shows: uploads, and groups of them. */
interface ListedUploads {
  readonly rows: readonly ListedUpload[];
  /** The last upload or group of a page that is not the last. */
  readonly next: { readonly key: string; readonly uploadId: string } | undefined;
}

interface UploadListQuery {
  readonly prefix: string;
  readonly delimiter: string;
  readonly limit: number;
  readonly keyMarker: string;
  readonly uploadMarker: string;
}

export function listUploadsOperation(deps: ListUploadsDeps): S3Operation {
  return {
    name: 'ListMultipartUploads',
    method: 'GET',
    on: 'bucket',
    parameters: ['uploads'],
    action: 'list',
    limitScope: 'prefix',
    handle: (request, bucket) => listUploads(deps, request, bucket),
  };
}

async function listUploads(
  { uploads, owners }: ListUploadsDeps,
  request: S3Request,
  bucket: Bucket,
): Promise<HttpResponse> {
  const { query } = request;
  const isEncoded = isUrlEncoded(request);
  const name = isEncoded ? encodeListText : (text: string) => text;
  const asked = {
    prefix: query.get('prefix') ?? '',
    delimiter: query.get('delimiter') ?? '',
    limit: countIn(request, 'max-uploads'),
    keyMarker: query.get('key-marker') ?? '',
    uploadMarker: query.get('upload-id-marker') ?? '',
  };
  const { rows, next } = await page(uploads, request, bucket, asked);
  const owner = await owners(bucket.uid);
  return xmlResponse('ListMultipartUploadsResult', {
    Bucket: bucket.name,
    KeyMarker: name(asked.keyMarker),
    UploadIdMarker: asked.uploadMarker,
    NextKeyMarker: next && name(next.key),
    NextUploadIdMarker: next?.uploadId,
    Prefix: name(asked.prefix),
    Delimiter: asked.delimiter === '' ? undefined : name(asked.delimiter),
    EncodingType: isEncoded ? 'url' : undefined,
    MaxUploads: asked.limit,
    IsTruncated: next !== undefined,
    Upload: rows.filter((row) => row.common_prefix === null).map((row) => shown(row, name, owner)),
    CommonPrefixes: rows.flatMap((row) =>
      row.common_prefix === null ? [] : [{ Prefix: name(row.common_prefix) }],
    ),
  });
}

async function page(
  uploads: S3Uploads,
  { context }: S3Request,
  bucket: Bucket,
  uploadListQuery: UploadListQuery,
): Promise<ListedUploads> {
  const { prefix, delimiter, limit, keyMarker } = uploadListQuery;
  // No key has a NUL, and a database can't be asked for one.
  if (limit === 0 || [prefix, delimiter, keyMarker].some((text) => text.includes('\0')))
    return { rows: [], next: undefined };
  const afterDelimiter = firstAfterPrefix(delimiter);
  if (delimiter !== '' && afterDelimiter === undefined)
    throw new S3Fault('InvalidArgument', { hint: 'this delimiter cannot be used' });
  const grouping = afterDelimiter === undefined ? undefined : { delimiter, afterDelimiter, prefix };
  const until = endOfPrefix(prefix);
  const found = await uploads.list(
    bucket,
    { grouping, ...beginning(uploadListQuery), until, limit: limit + 1 },
    context.cancel,
  );
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  if (last === undefined || found.length <= limit) return { rows, next: undefined };
  const { key, upload_id: uploadId, common_prefix: group } = last;
  return { rows, next: group === null ? { key, uploadId } : { key: group, uploadId: '' } };
}

function beginning(uploadListQuery: UploadListQuery): Pick<UploadPage, 'from' | 'afterUpload'> {
  const { prefix, delimiter, keyMarker, uploadMarker } = uploadListQuery;
  if (keyMarker === '' || Buffer.compare(Buffer.from(keyMarker), Buffer.from(prefix)) < 0)
    return { from: prefix, afterUpload: undefined };
  const group = groupOf(keyMarker, prefix, delimiter);
  const afterGroup = group === undefined ? undefined : firstAfterPrefix(group);
  if (afterGroup !== undefined) return { from: afterGroup, afterUpload: undefined };
  // Without an upload, all of the marker's key are behind it.
  if (!isUploadId(uploadMarker)) return { from: `${keyMarker}\u0001`, afterUpload: undefined };
  return { from: keyMarker, afterUpload: uploadMarker };
}

function groupOf(key: string, prefix: string, delimiter: string): string | undefined {
  if (delimiter === '' || !key.startsWith(prefix)) return undefined;
  const at = key.indexOf(delimiter, prefix.length);
  return at < 0 ? undefined : key.slice(0, at + delimiter.length);
}

function shown(upload: S3UploadRow, name: (text: string) => string, owner: Owner): XmlChildren {
  return {
    Key: name(upload.key),
    UploadId: upload.upload_id,
    Initiator: { ...owner },
    Owner: { ...owner },
    StorageClass: storageClassName(upload.class),
    Initiated: formatXmlTime(Math.floor(upload.begun_at.getTime() / 1000)),
    ChecksumAlgorithm: upload.s3.checksum?.algorithm,
    ChecksumType: upload.s3.checksum?.type,
  };
}
