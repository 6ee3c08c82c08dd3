/** CopyObject: rows only, whatever the size. Onto itself it changes description or class. */
import { Fault, permissionsToOverwrite } from '@millpond/protocol';
import { copySourceIn, failedCopyCondition, formatXmlTime, S3Fault } from '@millpond/protocol/s3';
import type { UploadTriggers } from '../../../media/processing/index.ts';
import type { HttpResponse } from '../../../platform/web/index.ts';
import type { Bucket, Buckets } from '../../../storage/buckets/index.ts';
import type { S3ObjectRow } from '../../../storage/objects/index.ts';
import { assertRequestWithinLimits, requestLimitViolation } from '../request-limits.ts';
import { xmlResponse } from '../s3.answers.ts';
import type { S3Operation } from '../s3.operation.ts';
import type { S3Request } from '../s3.request.ts';
import { redirectToRegion } from '../wrong-region.ts';
import { checksumElements } from './body-digests.ts';
import { descriptionIn, rejectUnsupportedHeaders, storageClassIn, tagsIn } from './description.ts';
import { etagOf, lastModifiedOf, quoted } from './etag.ts';
import { triggerInput } from './put.ts';
import { assertNotArchived, checkVersion, existingOrMirrored, type ReadDeps } from './require-object.ts';
import { precheckConditions, writeConditionsIn } from './write-conditions.ts';

export interface CopyDeps extends ReadDeps {
  readonly buckets: Buckets;
  readonly uploadTriggers: UploadTriggers;
}

export interface CopySource {
  readonly bucket: Bucket;
  readonly row: S3ObjectRow;
}

export function copyOperation(deps: CopyDeps): S3Operation {
  return {
    name: 'CopyObject',
    method: 'PUT',
    on: 'object',
    header: 'x-amz-copy-source',
    action: 'write',
    handle: (request, bucket, key) => copy(deps, request, bucket, key),
  };
}

async function copy(deps: CopyDeps, request: S3Request, bucket: Bucket, key: string): Promise<HttpResponse> {
  rejectUnsupportedHeaders(request);
  const replaces = directiveIn(request, 'x-amz-metadata-directive');
  const replacesTags = directiveIn(request, 'x-amz-tagging-directive');
  const storageClass = storageClassIn(request);
  const source = await sourceOf(deps, request);
  const isItself = source.bucket.id === bucket.id && source.row.key === key;
  if (isItself && !replaces && !replacesTags && storageClass === source.row.class)
    throw new S3Fault('InvalidRequest', {
      message:
        "This copy request is illegal because it is trying to copy an object to itself without changing the object's metadata, storage class, website redirect location or encryption attributes.",
    });
  const conditions = writeConditionsIn(request);
  await precheckConditions(deps.s3Objects, request, bucket, key, conditions);
  const refusal = requestLimitViolation(request, permissionsToOverwrite(bucket.name, key));
  const { onCommit } = await deps.uploadTriggers.prepare(triggerInput(request, bucket, key));
  const copied = deps.s3Objects.copy(
    {
      from: { bucketId: source.bucket.id, key: source.row.key },
      to: { bucketId: bucket.id, key },
      version: source.row.put_time,
      storageClass,
      description: replaces ? descriptionIn(request) : undefined,
      tags: replacesTags ? (tagsIn(request) ?? {}) : undefined,
      condition: conditions.condition,
      // A key that may not delete may add objects, but replace none.
      isNew: conditions.isNew || refusal !== undefined,
    },
    onCommit && ((transaction, time) => onCommit(transaction, { written: true, putTime: time })),
  );
  const putTime = await explained(copied, conditions.isNew ? undefined : refusal);
  return xmlResponse('CopyObjectResult', {
    LastModified: formatXmlTime(lastModifiedOf({ put_time: putTime })),
    ETag: quoted(etagOf(source.row)),
    ...checksumElements(source.row.checksum),
  });
}

async function explained<Value>(copied: Promise<Value>, refusal: string | undefined): Promise<Value> {
  try {
    return await copied;
  } catch (error) {
    if (refusal === undefined || !(error instanceof Fault) || error.fault !== 'preconditionFailed')
      throw error;
    throw new S3Fault('AccessDenied', { hint: `the object exists, and ${refusal}` });
  }
}

/** The object that is copied, which the caller may read, if its conditions hold. */
export async function sourceOf(
  { buckets, ...reads }: Pick<CopyDeps, 'buckets' | 's3Objects' | 'mirror'>,
  request: S3Request,
): Promise<CopySource> {
  const named = copySourceIn(request.header('x-amz-copy-source') ?? '');
  const bucket = await buckets.byName(named.bucket);
  if (bucket === undefined) throw new S3Fault('NoSuchBucket', { details: { BucketName: named.bucket } });
  if (bucket.isPrivate && request.identity?.key.uid !== bucket.uid) throw new S3Fault('AccessDenied');
  if (request.identity?.key.uid === bucket.uid)
    assertRequestWithinLimits(request, { action: 'read', bucket: bucket.name, key: named.key });
  await redirectToRegion(buckets, bucket);
  checkVersion(named.versionId);
  const row = await existingOrMirrored(reads, bucket, named.key, request.context.cancel);
  assertNotArchived(row);
  const condition = failedCopyCondition(request.header, {
    etag: etagOf(row),
    lastModified: lastModifiedOf(row),
  });
  if (condition !== undefined) throw new S3Fault('PreconditionFailed', { details: { Condition: condition } });
  return { bucket, row };
}

/** Whether what the request says replaces what the source has. */
function directiveIn({ header }: S3Request, name: string): boolean {
  const directive = header(name) ?? 'COPY';
  if (directive !== 'COPY' && directive !== 'REPLACE')
    throw new S3Fault('InvalidArgument', {
      hint: `${name} must be COPY or REPLACE`,
      details: { ArgumentName: name, ArgumentValue: directive },
    });
  return directive === 'REPLACE';
}
