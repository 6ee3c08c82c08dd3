/** When a key was last used and from where, whatever it was used for; and its note. */
import { uploadForm, uploadToken } from '@millpond/testing';
import { expect, test } from 'vitest';
import { expectAccountError } from '../support/accounts/account-errors.ts';
import { userCall } from '../support/accounts/accounts.ts';
import { createParent } from '../support/accounts/operator.ts';
import { signedTarget } from '../support/objects/images.ts';
import { downloadPath, statTarget } from '../support/objects/objects.ts';
import { secureSigned } from '../support/running/secure.ts';
import { s3 } from '../support/s3/signed.ts';
import { sendSigned } from '../support/signing.ts';
import { newBucket, target, upload } from '../support/target.ts';

const MINUTE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:00\.000Z$/;

interface KeyRecord {
  readonly key: string;
  readonly lastUsed?: string;
  readonly lastAddress?: string;
  readonly note?: string;
}

interface Pair {
  readonly accessKey: string;
  readonly secretKey: string;
}

test('a key shows its note, and its last use by a signature, a token, a URL or S3; a wrong signature is no use [key-use-01]', async () => {
  const bucket = await newBucket();
  await sendSigned({ target: '/private', body: `bucket=${bucket}&private=1` });
  await upload({ scope: bucket }, 'x', { key: 'there' });
  const path = downloadPath(bucket, 'there');
  const uses: Record<string, (keys: Pair) => Promise<{ readonly status: number }>> = {
    'a signature': (keys) => sendSigned({ target: statTarget(bucket, 'there') }, { keys }),
    'an upload token': (keys) =>
      uploadForm(target.url, 'y', { token: uploadToken(keys, { scope: bucket }), key: 'new' }),
    'a signed URL': (keys) => fetch(target.url + signedTarget(path, keys)),
    S3: (keys) => s3(`/${bucket}/there`, { by: { ...target.account, ...keys } }),
  };
  for (const [note, use] of Object.entries(uses)) {
    const made = await userCall('create_key', { limits: JSON.stringify({ buckets: [bucket] }), note });
    const { key: accessKey, secret: secretKey, note: said } = made.json() as Record<string, string>;
    expect(said).toBe(note);
    const pair = { accessKey: accessKey ?? '', secretKey: secretKey ?? '' };
    expect((await use({ ...pair, secretKey: 'wrong' })).status).not.toBe(200);
    const unused = await keyShown(pair.accessKey);
    expect(unused).toMatchObject({ key: accessKey, note });
    expect(unused).not.toHaveProperty('lastUsed');
    expect((await use(pair)).status, note).toBe(200);
    expect(await keyShown(pair.accessKey), note).toMatchObject({
      lastUsed: expect.stringMatching(MINUTE),
      lastAddress: '127.0.0.1',
    });
    await userCall('disable_key', { key: pair.accessKey });
    await userCall('delete_key', { key: pair.accessKey });
  }
});

async function keyShown(key: string): Promise<KeyRecord | undefined> {
  const answer = await secureSigned({ method: 'GET', target: '/v1/user/keys' });
  return (answer.json() as KeyRecord[]).find((each) => each.key === key);
}

test('a note is one line of at most 100 characters [key-use-01]', async () => {
  const owner = await createParent();
  for (const note of ['x'.repeat(101), 'two\nlines'])
    expectAccountError(await userCall('create_key', { kind: 'root', note }, owner), 8);
  const made = await userCall('create_key', { kind: 'root', note: 'x'.repeat(100) }, owner);
  expect(made.json()).toMatchObject({ kind: 'root', note: 'x'.repeat(100) });
});
