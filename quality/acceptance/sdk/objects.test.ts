/** Calls on objects and buckets by our own client, against a real server. */
import { randomUUID } from 'node:crypto';
import { MillpondError } from '@millpond/client';
import { operations } from '@millpond/client/server';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createParent } from '../support/accounts/operator.ts';
import { collected, sdkClient } from '../support/running/sdk.ts';
import { newBucket, target } from '../support/target.ts';

const client = sdkClient();

async function fails(call: Promise<unknown>): Promise<MillpondError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(MillpondError);
  return error as MillpondError;
}

describe('objects', () => {
  test('are stated, copied, moved, changed and deleted', async () => {
    const bucket = await newBucket();
    await client.upload(bucket, 'a/ü.txt', 'content', {
      mimeType: 'text/x-own',
      metadata: { colour: 'blue' },
    });
    const record = await client.objects.stat(bucket, 'a/ü.txt');
    expect(record).toMatchObject({ fsize: 7, mimeType: 'text/x-own', type: 0, metadata: { colour: 'blue' } });
    expect(record.putTime > 10n ** 16n).toBe(true);
    await client.objects.copy({ bucket, key: 'a/ü.txt' }, { bucket, key: 'b' });
    expect(await fails(client.objects.copy({ bucket, key: 'a/ü.txt' }, { bucket, key: 'b' }))).toMatchObject({
      status: 614,
      code: 'fileExists',
      message: 'file exists',
      reqid: expect.stringMatching(/./),
    });
    await client.objects.copy({ bucket, key: 'a/ü.txt' }, { bucket, key: 'b' }, { force: true });
    await client.objects.move({ bucket, key: 'b' }, { bucket, key: 'c' });
    const { hash } = record;
    const change = { mimeType: 'text/y', metadata: { colour: '', size: 'big' }, condition: { hash } };
    await client.objects.changeMetadata(bucket, 'c', change);
    const changed = await client.objects.stat(bucket, 'c');
    expect([changed.mimeType, changed.metadata]).toEqual(['text/y', { size: 'big' }]);
    const other = { mimeType: 'text/z', condition: { hash: `F${hash.slice(1, -1)}_` } };
    expect(await fails(client.objects.changeMetadata(bucket, 'c', other))).toMatchObject({
      status: 613,
      code: 'conditionNotMatched',
    });
    await client.objects.delete(bucket, 'c');
    expect(await fails(client.objects.stat(bucket, 'c'))).toMatchObject({ status: 612, code: 'noSuchEntry' });
  });

  test('are cooled, restored, disabled and given an end', async () => {
    const bucket = await newBucket();
    await client.upload(bucket, 'k', 'content');
    await client.objects.deleteAfterDays(bucket, 'k', 3);
    await client.objects.lifecycle(bucket, 'k', { toArchiveAfterDays: 2, condition: { fsize: 7n } });
    await client.objects.changeStatus(bucket, 'k', true);
    expect(await client.objects.stat(bucket, 'k')).toMatchObject({
      status: 1,
      expiration: expect.any(Number),
      transitionToARCHIVE: expect.any(Number),
    });
    await client.objects.changeStatus(bucket, 'k', false);
    await client.objects.changeType(bucket, 'k', 2);
    expect(await fails(client.download(bucket, 'k'))).toMatchObject({
      status: 403,
      code: 'archiveUnrestored',
    });
    await client.objects.restore(bucket, 'k', 1);
    expect(await client.objects.stat(bucket, 'k')).toMatchObject({ type: 2, restoreStatus: 1 });
  });

  test('a batch tells what became of each', async () => {
    const bucket = await newBucket();
    await client.upload(bucket, 'k', 'content');
    const outcomes = await client.objects.batch([
      operations.stat(bucket, 'k'),
      operations.stat(bucket, 'missing'),
      operations.changeType(bucket, 'k', 1),
      client.objects.changeMetadataOperation(bucket, 'k', { metadata: { a: 'b' } }),
      operations.delete(bucket, 'k'),
    ]);
    expect(outcomes.map(({ code }) => code)).toEqual([200, 612, 200, 200, 200]);
    expect(outcomes[0]).toMatchObject({
      ok: true,
      data: { fsize: 7, metadata: {}, putTime: expect.any(BigInt) },
    });
    expect(outcomes[1]).toMatchObject({ ok: false, error: { status: 612, code: 'noSuchEntry' } });
  });

  test('are listed as a stream, by prefix and folder, and page by page', async () => {
    const bucket = await newBucket();
    const keys = ['a', 'd/1', 'd/2', 'd/"putTime":5\n', 'z'].toSorted();
    await Promise.all(keys.map((key) => client.upload(bucket, key, key)));
    const listed = await collected(client.objects.list(bucket));
    expect(listed.map(({ item }) => item?.key)).toEqual(keys);
    const first = await client.objects.stat(bucket, 'a');
    expect(listed[0]?.item?.putTime).toBe(first.putTime);
    const folded = await collected(client.objects.list(bucket, { delimiter: '/' }));
    expect(folded.map(({ item, dir }) => item?.key ?? dir)).toEqual(['a', 'd/', 'z']);
    const few = await collected(client.objects.list(bucket, { prefix: 'd/', limit: 2 }));
    expect(few).toHaveLength(2);
    const page = await client.objects.page(bucket, { limit: 2 });
    const next = await client.objects.page(bucket, page.marker ? { marker: page.marker } : {});
    expect([...page.items, ...next.items].map(({ key }) => key)).toEqual(keys);
    expect(next.marker).toBeUndefined();
  });

  test('a wrong key is said to be wrong, and nothing of it is in the error', async () => {
    const secretKey = randomUUID();
    const stranger = sdkClient({ credentials: { accessKey: target.account.accessKey, secretKey } });
    const error = await fails(stranger.objects.stat('any-bucket', 'k'));
    expect(error).toMatchObject({ status: 401, code: 'badToken' });
    expect(JSON.stringify(error) + error.stack).not.toContain(secretKey);
  });
});

describe('buckets', () => {
  test('are made, listed, set up and dropped', async () => {
    const bucket = `sdk-${randomUUID().slice(0, 8)}`;
    await client.buckets.create(bucket, 'z0');
    expect(await fails(client.buckets.create(bucket, 'z0'))).toMatchObject({ code: 'bucketExists' });
    expect(await client.buckets.names()).toContain(bucket);
    const records = await collected(client.buckets.list());
    expect(records).toContainEqual(expect.objectContaining({ name: bucket, private: false }));
    await client.buckets.setPrivate(bucket, true);
    expect(await client.buckets.info(bucket)).toMatchObject({ private: 1 });
    const rules = [{ allowed_origin: ['https://a.example'], allowed_method: ['GET'] }];
    await client.buckets.setCors(bucket, rules);
    expect(await client.buckets.cors(bucket)).toMatchObject(rules);
    await client.buckets.setTags(bucket, [{ Key: 'a', Value: 'b' }]);
    expect(await client.buckets.tags(bucket)).toEqual([{ Key: 'a', Value: 'b' }]);
    await client.buckets.removeTags(bucket);
    expect(await client.buckets.tags(bucket)).toEqual([]);
    await client.buckets.addLifecycle(bucket, { name: 'r', prefix: 'p/', delete_after_days: 3 });
    await client.buckets.updateLifecycle(bucket, { name: 'r', prefix: 'p/', delete_after_days: 4 });
    expect(await client.buckets.lifecycle(bucket)).toMatchObject([{ name: 'r', delete_after_days: 4 }]);
    await client.buckets.removeLifecycle(bucket, 'r');
    await client.buckets.setQuota(bucket, { size: 1000 });
    expect(await client.buckets.quota(bucket)).toEqual({ size: 1000, count: -1 });
    expect(await client.buckets.domains(bucket)).toEqual([]);
    expect((await client.buckets.regions()).regions.length).toBeGreaterThan(0);
    expect(await client.buckets.query(target.account.accessKey, bucket)).toMatchObject({ hosts: [{}] });
    await client.buckets.drop(bucket);
    expect(await client.buckets.names()).not.toContain(bucket);
  });
});

describe('accounts', () => {
  test('tell of themselves and of what they use', async () => {
    expect(await client.accounts.info()).toMatchObject({ uid: target.account.uid, is_disabled: false });
    const child = await client.accounts.createChild(`${randomUUID()}@example.com`, 'a long password 1');
    expect(await client.accounts.children()).toContainEqual(child);
    expect(await client.accounts.childKeys({ uid: child.uid })).toMatchObject({ key: expect.any(String) });
    const tokens = await client.accounts.login(child.email, 'a long password 1');
    expect(await client.accounts.refresh(tokens.refresh_token)).toMatchObject({ expires_in: 3600 });
    expect(await client.accounts.disableChild(child.uid, 'test')).toMatchObject({ is_disabled: true });
    expect(await client.accounts.enableChild(child.uid)).toMatchObject({ is_disabled: false });
    expect(await client.accounts.usage()).toMatchObject({ bytes: expect.any(Number) });
    expect(await fails(client.accounts.login(child.email, 'wrong'))).toMatchObject({
      status: 401,
      code: 'failedAuthentication',
    });
  });

  test('exchange their own keys and webhook secrets', async () => {
    const { accessKey, secretKey } = await createParent();
    const { accounts } = sdkClient({ url: target.secure.url, credentials: { accessKey, secretKey } });
    const second = await accounts.createKey({ kind: 'root' });
    expect(await accounts.keys()).toMatchObject([
      { key: accessKey },
      { key: second.key, kind: 'root', state: 0 },
    ]);
    expect(await accounts.disableKey(second.key)).toMatchObject({ state: 1 });
    expect(await accounts.enableKey(second.key)).toMatchObject({ state: 0 });
    await accounts.disableKey(second.key);
    await accounts.deleteKey(second.key);
    expect(await accounts.keys()).toHaveLength(1);
    const [old] = await accounts.webhookSecrets();
    const [current, before] = await accounts.exchangeWebhookSecret({ keepOld: 60 });
    expect(before).toMatchObject({ secret: old?.secret, retires: expect.any(String) });
    expect(current?.secret).toMatch(/^whsec_/);
    expect(await accounts.exchangeWebhookSecret({ keepOld: 0 })).toHaveLength(2);
  });

  test('an access token does instead of keys', async () => {
    const child = await client.accounts.createChild(`${randomUUID()}@example.com`, 'a long password 1');
    const { access_token: accessToken } = await client.accounts.login(child.email, 'a long password 1');
    const own = sdkClient({ url: target.secure.url, credentials: { accessToken } });
    expect(await own.buckets.names()).toEqual([]);
    expect(() => own.uploadToken({ scope: 'b' })).toThrow(/access key/);
  });
});

describe('who is refused is told why it may be', () => {
  afterEach(() => void vi.useRealTimers());
  const { accessKey } = target.account;

  test('a wrong secret: by the name of its access key, never by the secret', async () => {
    const bucket = await newBucket();
    await client.upload(bucket, 'k', 'x');
    await client.buckets.setPrivate(bucket, true);
    const own = sdkClient({ credentials: { accessKey, secretKey: 'not-the-secret' } });
    const hint = `the access key ${accessKey} is unknown or disabled there, or its secret is wrong`;
    for (const call of [
      () => own.buckets.names(),
      () => own.upload(bucket, 'k', 'x'),
      () => own.upload(bucket, 'k', new Uint8Array(5 * 1024 * 1024)),
      () => own.download(bucket, 'k'),
    ])
      expect(await fails(call())).toMatchObject({ status: 401, code: 'badToken', hint });
  });

  test('a clock that is wrong', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 22 * 60_000 });
    expect(await fails(client.buckets.names())).toMatchObject({
      status: 401,
      hint: "this machine's clock is 22 minutes behind the server's",
    });
  });
});
