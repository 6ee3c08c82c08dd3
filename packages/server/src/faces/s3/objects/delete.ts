/** DeleteObject and DeleteObjects. What is not there counts as deleted. */
import { MAX_KEY_BYTES, parseHttpDate } from '@millpond/protocol';
import {
  childNumber,
  childrenOf,
  childText,
  malformed,
  parseEtagList,
  parseXmlTime,
  requiredText,
  S3Fault,
  type XmlChildren,
  type XmlElement,
} from '@millpond/protocol/s3';
import type { HttpResponse } from '../../../platform/web/index.ts';
import type { Bucket } from '../../../storage/buckets/index.ts';
import type { S3Objects } from '../../../storage/objects/index.ts';
import { assertRequestWithinLimits } from '../request-limits.ts';
import { noContent, xmlResponse } from '../s3.answers.ts';
import { xmlBodyOf } from '../s3.body.ts';
import type { S3Operation } from '../s3.operation.ts';
import { toS3Fault } from '../s3.refusal.ts';
import type { S3Request } from '../s3.request.ts';

export interface DeleteDeps {
  readonly s3Objects: S3Objects;
}

const MAX_DELETED = 1000;

interface Removal {
  readonly key: string;
  readonly version: string | undefined;
  readonly etags: readonly string[] | undefined;
  readonly size: number | undefined;
  readonly lastModified: number | undefined;
}

export function deleteOperations(deps: DeleteDeps): S3Operation[] {
  return [
    {
      name: 'DeleteObject',
      method: 'DELETE',
      on: 'object',
      action: 'delete',
      handle: (request, bucket, key) => deleteOne(deps, request, bucket, key),
    },
    {
      name: 'DeleteObjects',
      method: 'POST',
      on: 'bucket',
      parameters: ['delete'],
      action: 'delete',
      limitScope: 'itself',
      handle: (request, bucket) => deleteMany(deps, request, bucket),
    },
  ];
}

async function deleteOne(
  { s3Objects }: DeleteDeps,
  request: S3Request,
  bucket: Bucket,
  key: string,
): Promise<HttpResponse> {
  const { header, query } = request;
  const match = header('if-match');
  const time = header('x-amz-if-match-last-modified-time');
  await remove(s3Objects, bucket, {
    key,
    version: query.get('versionId'),
    etags: etagsIn(match),
    size: sizeIn(header('x-amz-if-match-size')),
    lastModified: time === undefined ? undefined : timeIn(time),
  });
  return noContent();
}

async function deleteMany(
  { s3Objects }: DeleteDeps,
  request: S3Request,
  bucket: Bucket,
): Promise<HttpResponse> {
  const body = await xmlBodyOf(request, 'Delete');
  const entries = childrenOf(body, 'Object');
  if (entries.length === 0 || entries.length > MAX_DELETED)
    throw malformed(`name 1 to ${MAX_DELETED} objects`);
  const removals = entries.map(removalIn);
  const isQuiet = childText(body, 'Quiet') === 'true';
  const outcomes = await removeAll(s3Objects, request, bucket, removals);
  const shown = (at: number): XmlChildren => ({ Key: removals[at]?.key, VersionId: removals[at]?.version });
  return xmlResponse('DeleteResult', {
    Deleted: outcomes.flatMap((fault, at) => (fault === undefined && !isQuiet ? [shown(at)] : [])),
    Error: outcomes.flatMap((fault, at) =>
      fault === undefined ? [] : [{ ...shown(at), Code: fault.code, Message: fault.message }],
    ),
  });
}

/** One statement for all that have no condition. */
async function removeAll(
  objects: S3Objects,
  request: S3Request,
  bucket: Bucket,
  removals: readonly Removal[],
): Promise<(S3Fault | undefined)[]> {
  const outcomes = removals.map((removal) => refusal(request, bucket, removal));
  const plain = removals.filter((removal, at) => outcomes[at] === undefined && !isConditional(removal));
  if (plain.length > 0)
    await objects.remove(
      bucket,
      plain.map(({ key }) => key),
    );
  for (const [at, removal] of removals.entries()) {
    if (outcomes[at] !== undefined || !isConditional(removal)) continue;
    try {
      await remove(objects, bucket, removal);
    } catch (error) {
      outcomes[at] = toS3Fault(error);
    }
  }
  return outcomes;
}

async function remove(objects: S3Objects, bucket: Bucket, removal: Removal): Promise<void> {
  checkVersionOf(removal);
  if (!isConditional(removal)) return objects.remove(bucket, [removal.key]);
  if ((await objects.removeIf(bucket, removal.key, removal)) === false)
    throw new S3Fault('PreconditionFailed');
}

/** What can be refused without looking at the object. */
function refusal(request: S3Request, bucket: Bucket, removal: Removal): S3Fault | undefined {
  try {
    checkVersionOf(removal);
    assertRequestWithinLimits(request, { action: 'delete', bucket: bucket.name, key: removal.key });
  } catch (error) {
    return toS3Fault(error);
  }
  const size = Buffer.byteLength(removal.key);
  return size > MAX_KEY_BYTES ? new S3Fault('KeyTooLongError') : undefined;
}

function checkVersionOf({ version }: Removal): void {
  if (version !== undefined && version !== '' && version !== 'null')
    throw new S3Fault('InvalidArgument', { message: 'Invalid version id specified' });
}

function isConditional({ etags, size, lastModified }: Removal): boolean {
  return etags !== undefined || size !== undefined || lastModified !== undefined;
}

function removalIn(entry: XmlElement): Removal {
  const key = requiredText(entry, 'Key');
  if (key.includes('\0')) throw malformed('a key may not contain U+0000');
  const time = childText(entry, 'LastModifiedTime');
  return {
    key,
    version: childText(entry, 'VersionId'),
    etags: etagsIn(childText(entry, 'ETag')),
    size: childNumber(entry, 'Size'),
    lastModified: time === undefined ? undefined : timeIn(time),
  };
}

/** `*` is no condition: what is missing counts as deleted. */
function etagsIn(text: string | undefined): readonly string[] | undefined {
  const etags = text === undefined ? undefined : parseEtagList(text);
  return etags === '*' ? undefined : etags;
}

function sizeIn(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,15}$/.test(text))
    throw new S3Fault('InvalidArgument', { hint: 'x-amz-if-match-size must be a number' });
  return Number(text);
}

/** In the form of headers or of XML; Unix seconds. */
function timeIn(text: string): number {
  const seconds = parseHttpDate(text) ?? parseXmlTime(text);
  if (seconds === undefined) throw new S3Fault('InvalidArgument', { hint: `${text} is no time` });
  return seconds;
}
