/** ListMultipartUploads: those begun by S3 and not ended, by key and then by upload. */
import { encodeListText, formatXmlTime, storageClassName, type XmlChildren } from '@millpond/protocol/s3';
import type { Answer } from '../../../platform/web/index.ts';
import type { Bucket } from '../../buckets/index.ts';
import { endOfPrefix, firstAfterPrefix } from '../../objects/index.ts';
import type { S3UploadRow, S3Uploads } from '../../uploads/index.ts';
import { xmlAnswer } from '../answers.ts';
import { countIn, isUrlEncoded } from '../lists/list-query.ts';
import type { S3Operation } from '../operation.ts';
import type { Owner, Owners } from '../owner.ts';
import type { S3Request } from '../request.ts';

export interface ListUploadsDeps {
  readonly uploads: S3Uploads;
  readonly owners: Owners;
}

/** What one page shows: uploads, and groups of them. */
interface Listed {
  readonly uploads: readonly S3UploadRow[];
  readonly prefixes: readonly string[];
  /** The last upload or group of a page that is not the last. */
  readonly next: { readonly key: string; readonly uploadId: string } | undefined;
}

interface Asked {
  readonly prefix: string;
  readonly delimiter: string;
  readonly limit: number;
  readonly keyMarker: string;
  readonly uploadMarker: string;
}

const UPLOAD_ID = /^[0-9a-f-]{36}$/;

export function listUploadsOperation(deps: ListUploadsDeps): S3Operation {
  return {
    name: 'ListMultipartUploads',
    method: 'GET',
    on: 'bucket',
    parameters: ['uploads'],
    action: 'list',
    judges: 'prefix',
    handle: (request, bucket) => listUploads(deps, request, bucket),
  };
}

async function listUploads(
  { uploads, owners }: ListUploadsDeps,
  request: S3Request,
  bucket: Bucket,
): Promise<Answer> {
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
  const listed = await page(uploads, bucket, asked);
  const owner = await owners(bucket.uid);
  return xmlAnswer('ListMultipartUploadsResult', {
    Bucket: bucket.name,
    KeyMarker: name(asked.keyMarker),
    UploadIdMarker: asked.uploadMarker,
    NextKeyMarker: listed.next && name(listed.next.key),
    NextUploadIdMarker: listed.next?.uploadId,
    Prefix: name(asked.prefix),
    Delimiter: asked.delimiter === '' ? undefined : name(asked.delimiter),
    EncodingType: isEncoded ? 'url' : undefined,
    MaxUploads: asked.limit,
    IsTruncated: listed.next !== undefined,
    Upload: listed.uploads.map((upload) => shown(upload, name, owner)),
    CommonPrefixes: listed.prefixes.map((prefix) => ({ Prefix: name(prefix) })),
  });
}

/** Groups are skipped by asking anew after each: there are few uploads, and fewer groups. */
async function page(uploads: S3Uploads, bucket: Bucket, asked: Asked): Promise<Listed> {
  const { prefix, delimiter, limit } = asked;
  const until = endOfPrefix(prefix);
  const found: S3UploadRow[] = [];
  const prefixes: string[] = [];
  let { from, afterUpload } = beginning(asked);
  let next: Listed['next'];
  while (limit > 0) {
    const rows = await uploads.list(bucket, {
      from,
      until,
      afterUpload,
      limit: limit + 1 - found.length - prefixes.length,
    });
    let skipTo: string | undefined;
    for (const row of rows) {
      if (found.length + prefixes.length === limit) return { uploads: found, prefixes, next };
      const group = groupOf(row.key, prefix, delimiter);
      if (group === undefined) {
        found.push(row);
        next = { key: row.key, uploadId: row.upload_id };
        continue;
      }
      prefixes.push(group);
      next = { key: group, uploadId: '' };
      skipTo = firstAfterPrefix(group);
      break;
    }
    if (skipTo === undefined) break;
    [from, afterUpload] = [skipTo, null];
  }
  return { uploads: found, prefixes, next: undefined };
}

function beginning({ prefix, delimiter, keyMarker, uploadMarker }: Asked): {
  from: string;
  afterUpload: string | null;
} {
  if (keyMarker === '' || Buffer.compare(Buffer.from(keyMarker), Buffer.from(prefix)) < 0)
    return { from: prefix, afterUpload: null };
  const group = groupOf(keyMarker, prefix, delimiter);
  const afterGroup = group === undefined ? undefined : firstAfterPrefix(group);
  if (afterGroup !== undefined) return { from: afterGroup, afterUpload: null };
  // Without an upload, all of the marker's key are behind it.
  if (!UPLOAD_ID.test(uploadMarker)) return { from: `${keyMarker}\u0001`, afterUpload: null };
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
