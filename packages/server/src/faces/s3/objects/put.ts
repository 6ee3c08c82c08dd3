/** PutObject: the bytes, their description, and a commit that may depend on what is there. */
import { askedToReplace, Fault, tierOfClass } from '@millpond/protocol';
import { S3Fault } from '@millpond/protocol/s3';
import type { Arrivals } from '../../../media/processing/index.ts';
import type { ObjectBlobs } from '../../../platform/small-blobs/index.ts';
import type { Answer } from '../../../platform/web/index.ts';
import type { Bucket } from '../../../storage/buckets/index.ts';
import type { Objects, S3Objects, StoredChecksum } from '../../../storage/objects/index.ts';
import { expirationHeader } from '../buckets/expiration.ts';
import { notPermitted } from '../limits.ts';
import { doneAnswer } from '../s3.answers.ts';
import type { S3Operation } from '../s3.operation.ts';
import type { S3Request } from '../s3.request.ts';
import { checksumAnswer } from './checks.ts';
import {
  descriptionIn,
  type ObjectDescription,
  refusePromises,
  storageClassIn,
  tagsIn,
} from './description.ts';
import { quoted } from './etag.ts';
import { announcedBytes, type ReceivedBytes, receiveBytes } from './receive.ts';
import { judgeEarly, type WriteConditions, writeConditionsIn } from './write-conditions.ts';

export interface PutDeps {
  readonly s3Objects: S3Objects;
  readonly objects: Objects;
  readonly blobs: ObjectBlobs;
  readonly arrivals: Arrivals;
  readonly maxObjectSize: number;
}

/** The commit of what has arrived takes no longer; nothing else limits it. */
const COMMIT_WITHIN_SECONDS = 3600;

export function putOperation(deps: PutDeps): S3Operation {
  return {
    ...{ name: 'PutObject', method: 'PUT', on: 'object', action: 'write' },
    handle: (request, bucket, key) => put(deps, request, bucket, key),
  };
}

async function put(deps: PutDeps, request: S3Request, bucket: Bucket, key: string): Promise<Answer> {
  const described = describePut(request);
  announcedBytes(request, deps.maxObjectSize);
  await judgeEarly(deps.s3Objects, request, bucket, key, described.conditions);
  const { also } = await deps.arrivals.prepare(arrivalOf(request, bucket, key));
  const received = await receiveBytes(request, deps.blobs.openBody, {
    tier: tierOfClass(described.storageClass),
    maxBytes: deps.maxObjectSize,
  });
  return doneAnswer(
    await commitPut(deps, request, bucket, key, { ...described, received, also, way: 's3-put' }),
  );
}

export interface DescribedPut {
  readonly description: ObjectDescription;
  readonly storageClass: number;
  readonly tags: ReturnType<typeof tagsIn>;
  readonly conditions: WriteConditions;
}

/** All that the headers of a put say; refuses what can't be kept or promised. */
export function describePut(request: S3Request): DescribedPut {
  refusePromises(request);
  return {
    description: descriptionIn(request),
    storageClass: storageClassIn(request),
    tags: tagsIn(request),
    conditions: writeConditionsIn(request),
  };
}

export interface ArrivedPut extends DescribedPut {
  readonly received: ReceivedBytes;
  readonly also: Awaited<ReturnType<Arrivals['prepare']>>['also'];
  readonly way: 's3-put' | 's3-post';
}

/** The headers of the answer. */
export async function commitPut(
  deps: Pick<PutDeps, 'objects'>,
  request: S3Request,
  bucket: Bucket,
  key: string,
  { description, storageClass, tags, conditions, received, also, way }: ArrivedPut,
): Promise<Record<string, string>> {
  const { mode, explain } = modeOf(request, bucket, key, conditions);
  const { putTime } = await explain(
    deps.objects
      .commit(
        {
          bucketId: bucket.id,
          key,
          blobId: received.id,
          segments: [{ id: received.id, size: received.size }],
          fsize: received.size,
          inline: received.inline,
          hash: received.hash,
          ...description,
          detectedType: description.mimeType,
          storageClass,
          endUser: undefined,
          way,
          deadline: Math.floor(Date.now() / 1000) + COMMIT_WITHIN_SECONDS,
          s3: { md5: received.md5, md5Parts: 0, checksum: fullChecksum(received), tags },
          condition: mode === 'insert' ? undefined : conditions.condition,
        },
        mode,
        also,
      )
      .then((committed) => {
        // The same content is there already: whoever wants to be the first is not.
        if (mode === 'insert' && !committed.written) throw new Fault('fileExists');
        return committed;
      }),
  );
  return {
    etag: quoted(Buffer.from(received.md5).toString('hex')),
    ...checksumAnswer(fullChecksum(received)),
    ...expirationHeader(bucket, { key, fsize: received.size, tags, put_time: putTime }),
  };
}

export function arrivalOf({ identity, call }: S3Request, bucket: Bucket, key: string) {
  return { bucket, key, accessKey: identity?.key.accessKey, reqid: call.reqid };
}

/** A key that may not delete may add objects, but replace none. */
export function modeOf(
  request: S3Request,
  bucket: Bucket,
  key: string,
  { isNew }: WriteConditions,
): {
  readonly mode: 'insert' | 'overwrite';
  readonly explain: <Value>(commit: Promise<Value>) => Promise<Value>;
} {
  const refusal = isNew ? undefined : notPermitted(request, askedToReplace(bucket.name, key));
  return {
    mode: isNew || refusal !== undefined ? 'insert' : 'overwrite',
    async explain(commit) {
      try {
        return await commit;
      } catch (error) {
        if (refusal === undefined || !(error instanceof Fault) || error.fault !== 'fileExists') throw error;
        throw new S3Fault('AccessDenied', { hint: `the object exists, and ${refusal}` });
      }
    },
  };
}

function fullChecksum({ checksum }: Pick<ReceivedBytes, 'checksum'>): StoredChecksum | undefined {
  return checksum && { ...checksum, type: 'FULL_OBJECT' };
}
