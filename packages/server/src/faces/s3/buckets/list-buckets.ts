/** ListBuckets: the caller's buckets by name, all of them or a page at a time. */
import { decodeUtf8, encodeBase64Text, isBucketName, showsBucket, tryDecodeBase64 } from '@millpond/protocol';
import { S3Fault } from '@millpond/protocol/s3';
import type { Buckets } from '../../../storage/buckets/index.ts';
import type { Owners } from '../owner.ts';
import { xmlResponse } from '../s3.answers.ts';
import type { ServiceOperation } from '../s3.operation.ts';
import { callerOf } from './caller.ts';

const MAX_LISTED = 10_000;

export function listBucketsOperation(buckets: Buckets, owners: Owners): ServiceOperation {
  return {
    name: 'ListBuckets',
    method: 'GET',
    on: 'service',
    action: 'list',
    async handle(request) {
      const { uid, limits } = callerOf(request);
      const { query } = request;
      const prefix = query.get('prefix');
      const after = afterToken(query.get('continuation-token'));
      const found = (
        await buckets.ofAccount(uid, { after, region: query.get('bucket-region') || undefined })
      ).filter(
        ({ name }) => name.startsWith(prefix ?? '') && (limits === undefined || showsBucket(limits, name)),
      );
      const shown = found.slice(0, mostOf(query.get('max-buckets')));
      const last = shown.at(-1);
      return xmlResponse('ListAllMyBucketsResult', {
        Owner: { ...(await owners(uid)) },
        Buckets: {
          Bucket: shown.map(({ name, createdAt, region }) => ({
            Name: name,
            CreationDate: wholeSeconds(createdAt),
            BucketRegion: region,
          })),
        },
        ContinuationToken:
          last !== undefined && found.length > shown.length ? encodeBase64Text(last.name) : undefined,
        Prefix: prefix,
      });
    },
  };
}

function mostOf(given: string | undefined): number | undefined {
  if (given === undefined || given === '') return undefined;
  if (!/^\d{1,5}$/.test(given) || Number(given) < 1 || Number(given) > MAX_LISTED)
    throw new S3Fault('InvalidArgument', { message: `max-buckets must be from 1 to ${MAX_LISTED}` });
  return Number(given);
}

function afterToken(token: string | undefined): string {
  if (token === undefined || token === '') return '';
  const name = decodeUtf8(tryDecodeBase64(token) ?? new Uint8Array()) ?? '';
  if (!isBucketName(name))
    throw new S3Fault('InvalidArgument', { message: 'The continuation token provided is incorrect' });
  return name;
}

/** Sub-seconds are shown as zero, as everywhere in S3. */
function wholeSeconds(time: Date): string {
  return `${time.toISOString().slice(0, 19)}.000Z`;
}
