/** `millpond cp` from one installation to another: bytes pass through here, and what belongs to an object goes with them. */
import { Client } from '@millpond/client/server';
import { createDeployment, finishCommand } from '@millpond/testing';
import { expect, onTestFinished, test } from 'vitest';
import { useCommandLine } from '../support/running/cli.ts';
import { sdkClient } from '../support/running/sdk.ts';
import { newBucket, target } from '../support/target.ts';

const DAY = 86_400;
const cli = useCommandLine();
const client = sdkClient();

test('type, metadata, storage class and expiry of an object are those of its copy', async () => {
  const other = await createDeployment({ store: 'disk' });
  onTestFinished(() => other.destroy());
  const { url } = await other.start();
  const account = await other.createAccount(undefined, 'copies');
  const there = new Client({ url, credentials: account });
  const { MILLPOND_ACCESS_KEY: _, MILLPOND_SECRET_KEY: __, ...environment } = cli.environment;
  for (const [name, at, keys] of [
    ['here', target.url, target.account],
    ['there', url, account],
  ] as const)
    await finishCommand(
      environment,
      ['alias', 'set', name, at, '--access-key', keys.accessKey],
      keys.secretKey,
    );

  const bucket = await newBucket();
  await client.upload(bucket, 'a', 'content', {
    mimeType: 'text/x-a',
    metadata: { colour: 'green' },
    policy: { fileType: 1, deleteAfterDays: 3 },
  });
  // As long as an object can be made to live: no day more fits into an upload.
  await client.upload(bucket, 'b', 'content', { policy: { deleteAfterDays: 36_500 } });
  expect(await finishCommand(environment, ['cp', '-r', `here:${bucket}`, 'there:copies'])).toMatchObject({
    code: 0,
    stderr: '',
  });
  const [before, after] = [await client.objects.stat(bucket, 'a'), await there.objects.stat('copies', 'a')];
  const { mimeType, type, metadata, hash } = before;
  expect(after).toMatchObject({ mimeType, type, metadata, hash });
  expect(type).toBe(1);
  const later = (after.expiration ?? 0) - (before.expiration ?? Number.NaN);
  expect(later).toBeGreaterThanOrEqual(0);
  expect(later).toBeLessThanOrEqual(2 * DAY);
  expect((await there.objects.stat('copies', 'b')).expiration).toBeGreaterThan(
    Date.now() / 1000 + 36_000 * DAY,
  );
});
