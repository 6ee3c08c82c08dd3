/**
 * Notifications: S3's words for the event rules of a bucket, with webhooks as targets. Rules that only our own calls can say
 * are neither shown here nor replaced.
 */
import { randomUUID } from 'node:crypto';
import { isNotification, readNotification, writeNotification } from '@millpond/protocol/s3';
import type { ObjectEvents } from '../../../storage/object-events/index.ts';
import { emptyOk } from '../s3.answers.ts';
import { bodyOf } from '../s3.body.ts';
import type { BucketOperation } from '../s3.operation.ts';
import { rawXmlResponse } from './raw-xml.ts';

export function notificationOperations(events: ObjectEvents): BucketOperation[] {
  const selected = { on: 'bucket', parameters: ['notification'], action: 'administer' } as const;
  return [
    {
      ...selected,
      name: 'GetBucketNotificationConfiguration',
      method: 'GET',
      handle: async (_, bucket) => rawXmlResponse(writeNotification(await events.rules(bucket))),
    },
    {
      ...selected,
      name: 'PutBucketNotificationConfiguration',
      method: 'PUT',
      async handle(request, bucket) {
        const given = readNotification(await bodyOf(request), randomUUID);
        await events.changeRules(bucket, (rules) => [
          ...rules.filter((rule) => !isNotification(rule)),
          ...given,
        ]);
        return emptyOk();
      },
    },
  ];
}
