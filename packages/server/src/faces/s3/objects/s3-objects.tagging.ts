/** Tags of objects. */
import { taggingXml, tagsInXml } from '@millpond/protocol/s3';
import type { Bucket } from '../../../storage/buckets/index.ts';
import { emptyOk, noContent, xmlResponse } from '../s3.answers.ts';
import { xmlBodyOf } from '../s3.body.ts';
import type { S3Operation } from '../s3.operation.ts';
import { checkVersion, existingOrMirrored, type ReadDeps, requireObject } from './require-object.ts';

export function taggingOperations(deps: ReadDeps): S3Operation[] {
  const { s3Objects } = deps;
  const selected = { on: 'object', parameters: ['tagging'] } as const;
  const set = async (
    bucket: Bucket,
    key: string,
    cancel: AbortSignal,
    tags: Readonly<Record<string, string>>,
  ) => {
    await requireObject(s3Objects, bucket, key, cancel);
    await s3Objects.setTags(bucket, key, tags);
  };
  return [
    {
      ...selected,
      name: 'GetObjectTagging',
      method: 'GET',
      action: 'read',
      async handle({ context, query }, bucket, key) {
        checkVersion(query.get('versionId'));
        const { tags } = await existingOrMirrored(deps, bucket, key, context.cancel);
        return xmlResponse('Tagging', taggingXml(tags ?? {}));
      },
    },
    {
      ...selected,
      name: 'PutObjectTagging',
      method: 'PUT',
      action: 'write',
      async handle(request, bucket, key) {
        checkVersion(request.query.get('versionId'));
        const tags = tagsInXml(await xmlBodyOf(request, 'Tagging'));
        await set(bucket, key, request.context.cancel, tags);
        return emptyOk();
      },
    },
    {
      ...selected,
      name: 'DeleteObjectTagging',
      method: 'DELETE',
      action: 'write',
      async handle({ context, query }, bucket, key) {
        checkVersion(query.get('versionId'));
        await set(bucket, key, context.cancel, {});
        return noContent();
      },
    },
  ];
}
