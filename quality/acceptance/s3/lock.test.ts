/** A lock as Terraform takes it in its backend for S3: whoever writes the file first has it. */
import {
  CreateBucketCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { expect, test } from 'vitest';
import { s3BucketName } from '../support/s3/fixtures.ts';
import { s3Sdk } from '../support/s3/sdk.ts';

const CONCURRENT_WRITES = 50;
const statusOf = (error: unknown) =>
  (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;

test('of 50 who take a lock at once with If-None-Match: *, one has it; and one again when it was given back', async () => {
  const [client, Bucket, Key] = [s3Sdk(), s3BucketName(), 'state/terraform.tflock'];
  await client.send(new CreateBucketCommand({ Bucket }));
  for (const round of ['first', 'second']) {
    const tries = Array.from({ length: CONCURRENT_WRITES }, (_, index) => `${round} ${index}`);
    const outcomes = await Promise.all(
      tries.map((Body) =>
        client.send(new PutObjectCommand({ Bucket, Key, Body, IfNoneMatch: '*' })).then(
          () => 200,
          (error: unknown) => statusOf(error),
        ),
      ),
    );
    const winners = tries.filter((_, index) => outcomes[index] === 200);
    expect(winners).toHaveLength(1);
    // 409: another one was being written at the same moment. Terraform takes both for a refusal.
    expect(outcomes.filter((status) => status === 412 || status === 409)).toHaveLength(CONCURRENT_WRITES - 1);
    const held = await client.send(new GetObjectCommand({ Bucket, Key }));
    expect(await held.Body?.transformToString()).toBe(winners[0]);
    await client.send(new DeleteObjectCommand({ Bucket, Key }));
  }
});
