/** CopyObject: rows only, whatever the size. Onto itself it changes description or class. */
import { askedToReplace, Fault } from '@millpond/protocol';
import { copySourceIn, formatXmlTime, judgeCopySource, S3Fault } from '@millpond/protocol/s3';
import type { Arrivals } from '../../../media/processing/index.ts';
import type { Answer } from '../../../platform/web/index.ts';
import type { Bucket, Buckets } from '../../../storage/buckets/index.ts';
import type { S3ObjectRow } from '../../../storage/objects/index.ts';
import { refuseElsewhere } from '../elsewhere.ts';
import { notPermitted, permitted } from '../limits.ts';
import { xmlAnswer } from '../s3.answers.ts';
import type { S3Operation } from '../s3.operation.ts';
import type { S3Request } from '../s3.request.ts';
import { checksumElements } from './checks.ts';
import { descriptionIn, refusePromises, storageClassIn, tagsIn } from './description.ts';
import { etagOf, lastModifiedOf, quoted } from './etag.ts';
import { arrivalOf } from './put.ts';
import { checkVersion, existingOrMirrored, type ReadDeps, refuseFrozen } from './readable.ts';
import { judgeEarly, writeConditionsIn } from './write-conditions.ts';

export interface CopyDeps extends ReadDeps {
  readonly buckets: Buckets;
  readonly arrivals: Arrivals;
}

export interface CopySource {
  readonly bucket: Bucket;
  readonly row: S3ObjectRow;
}

export function copyOperation(deps: CopyDeps): S3Operation {
  return {
    ...{ name: 'CopyObject', method: 'PUT', on: 'object', header: 'x-amz-copy-source', action: 'write' },
    handle: (request, bucket, key) => copy(deps, request, bucket, key),
  };
}

async function copy(deps: CopyDeps, request: S3Request, bucket: Bucket, key: string): Promise<Answer> {
  refusePromises(request);
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
  await judgeEarly(deps.s3Objects, request, bucket, key, conditions);
  const refusal = notPermitted(request, askedToReplace(bucket.name, key));
  const { also } = await deps.arrivals.prepare(arrivalOf(request, bucket, key));
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
    also && ((transaction, time) => also(transaction, { written: true, putTime: time })),
  );
  const putTime = await explained(copied, conditions.isNew ? undefined : refusal);
  return xmlAnswer('CopyObjectResult', {
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
    permitted(request, { action: 'read', bucket: bucket.name, key: named.key });
  await refuseElsewhere(buckets, bucket);
  checkVersion(named.versionId);
  const row = await existingOrMirrored(reads, bucket, named.key, request.call.cancel);
  refuseFrozen(row);
  const condition = judgeCopySource(request.header, { etag: etagOf(row), lastModified: lastModifiedOf(row) });
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
