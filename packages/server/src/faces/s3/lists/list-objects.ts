/** ListObjects in both versions, and ListObjectVersions of buckets in which every object has one version. */
import {
  decodeContinuationToken,
  encodeContinuationToken,
  encodeListText,
  formatXmlTime,
  S3Fault,
  storageClassName,
  type XmlChildren,
} from '@millpond/protocol/s3';
import type { HttpResponse } from '../../../platform/web/index.ts';
import type { Bucket } from '../../../storage/buckets/index.ts';
import type { S3ListItem, S3Objects } from '../../../storage/objects/index.ts';
import { etagOf, lastModifiedOf, quoted } from '../objects/etag.ts';
import { RESTORED, RESTORING } from '../objects/object-headers.ts';
import type { Owners } from '../owner.ts';
import { xmlResponse } from '../s3.answers.ts';
import type { S3Operation } from '../s3.operation.ts';
import type { S3Request } from '../s3.request.ts';
import { countIn, isUrlEncoded } from './s3-lists.list-query.ts';

export interface ListDeps {
  readonly s3Objects: S3Objects;
  readonly owners: Owners;
}

/** A page, and where the next one begins. */
interface Page {
  readonly items: readonly S3ListItem[];
  /** The last name of a page that is not the last. */
  readonly next: string | undefined;
}

interface ListQuery {
  readonly prefix: string;
  readonly delimiter: string;
  readonly limit: number;
  readonly name: (text: string) => string;
  readonly isEncoded: boolean;
  /** Whether entries say if they are restored. */
  readonly showsRestores: boolean;
}

export function listOperations(deps: ListDeps): S3Operation[] {
  const list = (
    name: string,
    parameters: readonly string[],
    handle: (request: S3Request, bucket: Bucket) => Promise<HttpResponse>,
  ): S3Operation => ({
    name,
    method: 'GET',
    on: 'bucket',
    parameters,
    action: 'list',
    limitScope: 'prefix',
    handle,
  });
  return [
    list('ListObjects', [], (request, bucket) => listFirstVersion(deps, request, bucket)),
    list('ListObjectsV2', ['list-type'], (request, bucket) => listSecondVersion(deps, request, bucket)),
    list('ListObjectVersions', ['versions'], (request, bucket) => listVersions(deps, request, bucket)),
  ];
}

async function listFirstVersion(deps: ListDeps, request: S3Request, bucket: Bucket): Promise<HttpResponse> {
  const listQuery = parseListQuery(request, 'max-keys');
  const marker = request.query.get('marker') ?? '';
  const { items, next } = await page(deps, request, bucket, listQuery, marker);
  const owner = await deps.owners(bucket.uid);
  return xmlResponse('ListBucketResult', {
    Name: bucket.name,
    // Clients do not decode this one.
    Prefix: listQuery.prefix,
    Marker: listQuery.name(marker),
    // Not only with a delimiter, as AWS does: some clients stop without it.
    NextMarker: next && listQuery.name(next),
    ...shared(listQuery, next),
    Contents: contents(items, listQuery, owner),
    CommonPrefixes: commonPrefixes(items, listQuery),
  });
}

async function listSecondVersion(deps: ListDeps, request: S3Request, bucket: Bucket): Promise<HttpResponse> {
  const { query } = request;
  if (query.get('list-type') !== '2') throw new S3Fault('InvalidArgument', { hint: 'list-type must be 2' });
  const listQuery = parseListQuery(request, 'max-keys');
  const token = query.get('continuation-token');
  const startAfter = query.get('start-after');
  const after = token ? decodeContinuationToken(token) : (startAfter ?? '');
  const { items, next } = await page(deps, request, bucket, listQuery, after);
  const owner = query.get('fetch-owner') === 'true' ? await deps.owners(bucket.uid) : undefined;
  return xmlResponse('ListBucketResult', {
    Name: bucket.name,
    Prefix: listQuery.name(listQuery.prefix),
    StartAfter: startAfter && listQuery.name(startAfter),
    ContinuationToken: token,
    NextContinuationToken: next && encodeContinuationToken(next),
    KeyCount: items.length,
    ...shared(listQuery, next),
    Contents: contents(items, listQuery, owner),
    CommonPrefixes: commonPrefixes(items, listQuery),
  });
}

async function listVersions(deps: ListDeps, request: S3Request, bucket: Bucket): Promise<HttpResponse> {
  const { query } = request;
  const listQuery = parseListQuery(request, 'max-keys');
  const marker = query.get('key-marker') ?? '';
  const versionMarker = query.get('version-id-marker');
  if (versionMarker !== undefined && versionMarker !== '' && marker === '')
    throw new S3Fault('InvalidArgument', {
      message: 'A version-id marker cannot be specified without a key marker.',
    });
  const { items, next } = await page(deps, request, bucket, listQuery, marker);
  const owner = await deps.owners(bucket.uid);
  return xmlResponse('ListVersionsResult', {
    Name: bucket.name,
    Prefix: listQuery.name(listQuery.prefix),
    KeyMarker: listQuery.name(marker),
    VersionIdMarker: versionMarker ?? '',
    NextKeyMarker: next && listQuery.name(next),
    NextVersionIdMarker: next && 'null',
    ...shared(listQuery, next),
    Version: contents(items, listQuery, owner).map((entry) => ({
      ...entry,
      VersionId: 'null',
      IsLatest: true,
    })),
    CommonPrefixes: commonPrefixes(items, listQuery),
  });
}

function parseListQuery(request: S3Request, count: string): ListQuery {
  const { query } = request;
  const isEncoded = isUrlEncoded(request);
  return {
    prefix: query.get('prefix') ?? '',
    delimiter: query.get('delimiter') ?? '',
    limit: countIn(request, count),
    isEncoded,
    showsRestores: showsRestores(request),
    name: isEncoded ? encodeListText : (text) => text,
  };
}

/** The only attribute that lists show on demand. */
function showsRestores({ header }: S3Request): boolean {
  const names = (header('x-amz-optional-object-attributes') ?? '').split(',').map((name) => name.trim());
  const unknown = names.find((name) => name !== '' && name !== 'RestoreStatus');
  if (unknown !== undefined)
    throw new S3Fault('InvalidArgument', {
      message: 'Invalid attribute name specified.',
      details: { ArgumentName: 'x-amz-optional-object-attributes', ArgumentValue: unknown },
    });
  return names.includes('RestoreStatus');
}

async function page(
  { s3Objects }: ListDeps,
  { context }: S3Request,
  bucket: Bucket,
  { prefix, delimiter, limit }: ListQuery,
  after: string,
): Promise<Page> {
  // No key has a NUL, and a database can't be asked for one.
  if (limit === 0 || [prefix, delimiter, after].some((text) => text.includes('\0')))
    return { items: [], next: undefined };
  const rows = await s3Objects.list(bucket, { prefix, delimiter, after, limit }, context.cancel);
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, next: rows.length > limit && last ? (prefixOf(last) ?? last.key) : undefined };
}

function shared({ limit, delimiter, name, isEncoded }: ListQuery, next: string | undefined): XmlChildren {
  return {
    MaxKeys: limit,
    Delimiter: delimiter === '' ? undefined : name(delimiter),
    EncodingType: isEncoded ? 'url' : undefined,
    IsTruncated: next !== undefined,
  };
}

function contents(
  items: readonly S3ListItem[],
  { name, showsRestores: isRestoreShown }: ListQuery,
  owner: XmlChildren | undefined,
): XmlChildren[] {
  return items
    .filter((item) => prefixOf(item) === undefined)
    .map((item) => ({
      Key: name(item.key),
      LastModified: formatXmlTime(lastModifiedOf(item)),
      ETag: quoted(etagOf(item)),
      ChecksumAlgorithm: item.checksum?.algorithm,
      ChecksumType: item.checksum?.type,
      Size: Number(item.fsize),
      Owner: owner,
      StorageClass: storageClassName(item.class),
      RestoreStatus: isRestoreShown ? restoreStatus(item) : undefined,
    }));
}

/** Undefined for what is frozen, or never is. */
function restoreStatus({
  restore_status: status,
  restore_ends_at: end,
}: S3ListItem): XmlChildren | undefined {
  if (status === RESTORING) return { IsRestoreInProgress: true };
  if (status !== RESTORED || end === null) return undefined;
  return { IsRestoreInProgress: false, RestoreExpiryDate: formatXmlTime(end.getTime() / 1000) };
}

function commonPrefixes(items: readonly S3ListItem[], { name }: ListQuery): XmlChildren[] {
  return items.flatMap((item) => {
    const prefix = prefixOf(item);
    return prefix === undefined ? [] : [{ Prefix: name(prefix) }];
  });
}

function prefixOf(item: S3ListItem): string | undefined {
  return 'common_prefix' in item ? (item.common_prefix ?? undefined) : undefined;
}
