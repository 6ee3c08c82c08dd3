/** Tags of buckets, which our own call shows too. */
import { S3Fault, taggingXml, tagsInXml } from '@millpond/protocol/s3';
import type { S3Settings } from '../../../storage/buckets/index.ts';
import { noContent, xmlResponse } from '../s3.answers.ts';
import { xmlBodyOf } from '../s3.body.ts';
import type { BucketOperation } from '../s3.operation.ts';

type BucketTags = Awaited<ReturnType<S3Settings['tags']>>;

export function bucketTaggingOperations(settings: S3Settings): BucketOperation[] {
  const selected = { on: 'bucket', parameters: ['tagging'], action: 'administer' } as const;
  return [
    {
      ...selected,
      name: 'GetBucketTagging',
      method: 'GET',
      async handle(_, bucket) {
        const tags = await settings.tags(bucket);
        if (tags === undefined) throw new S3Fault('NoSuchTagSet', { details: { BucketName: bucket.name } });
        return xmlResponse(
          'Tagging',
          taggingXml(Object.fromEntries(tags.map(({ Key, Value }) => [Key, Value]))),
        );
      },
    },
    {
      ...selected,
      name: 'PutBucketTagging',
      method: 'PUT',
      async handle(request, bucket) {
        await settings.setTags(bucket, bucketTags(tagsInXml(await xmlBodyOf(request, 'Tagging'))));
        return noContent();
      },
    },
    {
      ...selected,
      name: 'DeleteBucketTagging',
      method: 'DELETE',
      async handle(_, bucket) {
        await settings.setTags(bucket, undefined);
        return noContent();
      },
    },
  ];
}

export function bucketTags(tags: Readonly<Record<string, string>>): NonNullable<BucketTags> {
  return Object.entries(tags).map(([Key, Value]) => ({ Key, Value }));
}
