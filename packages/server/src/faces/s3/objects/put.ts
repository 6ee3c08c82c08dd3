/** PutObject: the bytes, their description, and a commit that may depend on what is there. */
import { Fault, permissionsToOverwrite, tierOfClass } from '@millpond/protocol';
import { S3Fault } from '@millpond/protocol/s3';
import type { UploadTriggers } from '../../../media/processing/index.ts';
import type { ObjectBlobs } from '../../../platform/small-blobs/index.ts';
import type { HttpResponse } from '../../../platform/web/index.ts';
import type { Bucket } from '../../../storage/buckets/index.ts';
import type { Objects, S3Objects, StoredChecksum } from '../../../storage/objects/index.ts';
import { expirationHeader } from '../buckets/expiration.ts';
import { requestLimitViolation } from '../request-limits.ts';
import { emptyOk } from '../s3.answers.ts';
import type { S3Operation } from '../s3.operation.ts';
import type { S3Request } from '../s3.request.ts';
import { checksumHeaders } from './body-digests.ts';
import { announcedBytes, type ReceivedBytes, receiveBytes } from './body-sink.ts';
import {
  descriptionIn,
  type ObjectDescription,
  rejectUnsupportedHeaders,
  storageClassIn,
  tagsIn,
} from './description.ts';
import { quoted } from './etag.ts';
import { precheckConditions, type WriteConditions, writeConditionsIn } from './write-conditions.ts';

export interface PutDeps {
  readonly s3Objects: S3Objects;
  readonly objects: Objects;
  readonly blobs: ObjectBlobs;
  readonly uploadTriggers: UploadTriggers;
  readonly maxObjectSize: number;
}

/** The commit of what has arrived takes no longer; nothing else limits it. */
const COMMIT_WITHIN_SECONDS = 3600;

export function putOperation(deps: PutDeps): S3Operation {
  return {
    name: 'PutObject',
    method: 'PUT',
    on: 'object',
    action: 'write',
    handle: (request, bucket, key) => put(deps, request, bucket, key),
  };
}

async function put(deps: PutDeps, request: S3Request, bucket: Bucket, key: string): Promise<HttpResponse> {
  const described = describePut(request);
  announcedBytes(request, deps.maxObjectSize);
  await precheckConditions(deps.s3Objects, request, bucket, key, described.conditions);
  const { onCommit } = await deps.uploadTriggers.prepare(triggerInput(request, bucket, key));
  const received = await receiveBytes(request, deps.blobs.openBody, {
    tier: tierOfClass(described.storageClass),
    maxBytes: deps.maxObjectSize,
  });
  return emptyOk(
    await commitPut(deps, request, bucket, key, { ...described, received, onCommit, way: 's3-put' }),
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
  rejectUnsupportedHeaders(request);
  return {
    description: descriptionIn(request),
    storageClass: storageClassIn(request),
    tags: tagsIn(request),
    conditions: writeConditionsIn(request),
  };
}

export interface StoredPut extends DescribedPut {
  readonly received: ReceivedBytes;
  readonly onCommit: Awaited<ReturnType<UploadTriggers['prepare']>>['onCommit'];
  readonly way: 's3-put' | 's3-post';
}

/** The headers of the answer. */
export async function commitPut(
  deps: Pick<PutDeps, 'objects'>,
  request: S3Request,
  bucket: Bucket,
  key: string,
  { description, storageClass, tags, conditions, received, onCommit, way }: StoredPut,
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
        onCommit,
      )
      .then((committed) => {
        // `If-None-Match: *` fails even if the existing content is identical.
        if (mode === 'insert' && !committed.written) throw new Fault('fileExists');
        return committed;
      }),
  );
  return {
    etag: quoted(Buffer.from(received.md5).toString('hex')),
    ...checksumHeaders(fullChecksum(received)),
    ...expirationHeader(bucket, { key, fsize: received.size, tags, put_time: putTime }),
  };
}

export function triggerInput({ identity, context }: S3Request, bucket: Bucket, key: string) {
  return { bucket, key, accessKey: identity?.key.accessKey, reqid: context.reqid };
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
  const refusal = isNew
    ? undefined
    : requestLimitViolation(request, permissionsToOverwrite(bucket.name, key));
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
