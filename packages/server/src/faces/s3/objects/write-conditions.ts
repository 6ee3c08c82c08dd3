/** `If-Match` and `If-None-Match` of requests that write an object. */
import { parseEtagList, S3Fault } from '@millpond/protocol/s3';
import type { Bucket } from '../../../storage/buckets/index.ts';
import type { S3Objects, WriteCondition } from '../../../storage/objects/index.ts';
import type { S3Request } from '../s3.request.ts';
import { etagOf } from './etag.ts';

export interface WriteConditions {
  /** There must be no object yet. */
  readonly isNew: boolean;
  /** On the object that is there. */
  readonly condition: WriteCondition | undefined;
}

export function writeConditionsIn({ header }: Pick<S3Request, 'header'>): WriteConditions {
  const [match, noneMatch] = [header('if-match'), header('if-none-match')];
  const ifMatch = match === undefined ? undefined : parseEtagList(match);
  const ifNoneMatch = noneMatch === undefined ? undefined : parseEtagList(noneMatch);
  if (ifMatch !== undefined && ifNoneMatch !== undefined)
    throw new S3Fault('NotImplemented', { hint: 'send If-Match or If-None-Match, not both' });
  if (ifNoneMatch === '*') return { isNew: true, condition: undefined };
  if (ifMatch === undefined && ifNoneMatch === undefined) return { isNew: false, condition: undefined };
  return { isNew: false, condition: { ifMatch: ifMatch === '*' ? 'any' : ifMatch, ifNoneMatch } };
}

/** Before the body is read, so that a client which waits need not send it. The commit decides. */
export async function precheckConditions(
  objects: S3Objects,
  { context }: S3Request,
  bucket: Bucket,
  key: string,
  { isNew, condition }: WriteConditions,
): Promise<void> {
  if (!isNew && condition === undefined) return;
  const row = await objects.find(bucket, key, context.cancel);
  const etag = row && etagOf(row);
  if (isNew && etag !== undefined) throw failed('If-None-Match');
  const { ifMatch, ifNoneMatch } = condition ?? {};
  if (ifMatch !== undefined && etag === undefined) throw new S3Fault('NoSuchKey', { details: { Key: key } });
  if (ifMatch !== undefined && ifMatch !== 'any' && !ifMatch.includes(etag ?? '')) throw failed('If-Match');
  if (etag !== undefined && ifNoneMatch?.includes(etag)) throw failed('If-None-Match');
}

function failed(condition: string): S3Fault {
  return new S3Fault('PreconditionFailed', { details: { Condition: condition } });
}
