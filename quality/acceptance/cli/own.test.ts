/** Tasks, deliveries and live by an access key: a user without a database sees and changes what is their own. */
import { randomBytes } from 'node:crypto';
import { finishCommand } from '@millpond/testing';
import { expect, test } from 'vitest';
import { operate } from '../support/accounts/operator.ts';
import { useReceiver } from '../support/receivers/receiver.ts';
import { useCommandLine } from '../support/running/cli.ts';
import { sdkClient } from '../support/running/sdk.ts';
import { newBucket, target, upload } from '../support/target.ts';

const cli = useCommandLine();
const client = sdkClient();
const receiver = useReceiver();

test('task lists, shows, waits, ends and runs again', async () => {
  const bucket = await newBucket();
  await client.upload(bucket, 'k', 'content');
  const id = await client.processing.submit({ bucket, key: 'k', fops: 'qhash/md5' });
  const shown = await cli.run(['task', 'show', id, '--wait']);
  expect(shown).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(new RegExp(`^id +${id}\nstate +done\n[^]* ${bucket}:k\n[^]*qhash/md5`)),
  });
  expect(shown.stdout).not.toMatch(/^uid/m);
  expect(await cli.json(['task', 'list', '--bucket', bucket, '--at', ':'])).toMatchObject([
    { id, state: 'done', percent: 100, input: `${bucket}:k` },
  ]);
  expect(await cli.json(['task', 'list', '--bucket', bucket, '--state', 'failed'])).toEqual([]);
  const [again] = await cli.json(['task', 'rerun', id, '--wait']);
  expect(again).toMatchObject({ code: 0, inputKey: 'k' });
  expect(again?.id).not.toBe(id);
  expect(await cli.run(['task', 'cancel', id])).toMatchObject({ code: 4 });
  expect(await cli.run(['task', 'show', 'nothing'])).toMatchObject({ code: 3 });
  expect(await cli.run(['task', 'list', '--account', 'a@example.com'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('for operators'),
  });
});

test('usage is that of the account of the key', async () => {
  const bucket = await newBucket();
  await client.upload(bucket, 'k', 'content');
  const figures = async () => {
    const [found] = await cli.json(['usage', '--at', ':']);
    const buckets = (found?.buckets ?? []) as { bucket: string; bytes: number; objects: number }[];
    return buckets.find((each) => each.bucket === bucket);
  };
  await expect.poll(figures, { interval: 1000 }).toMatchObject({ bytes: 7, objects: 1 });
  const { stdout } = await cli.run(['usage']);
  expect(stdout).toMatch(/^BUCKET +BYTES +OBJECTS +CALLS +DOWNLOADS\n/);
  expect(stdout).toMatch(new RegExp(`\n${bucket} +7 +1 `));
  expect(await cli.run(['usage', 'a@example.com'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('for operators'),
  });
});

test('keys are made, limited, listed and deleted by a root key, and a limited key does none of it', async () => {
  const bucket = await newBucket();
  const [made] = await cli.json(['key', 'create', '--bucket', bucket, '--may', 'read,list']);
  const { accessKey, secretKey } = made as Record<string, string>;
  expect(made).toMatchObject({ kind: 'user', limits: { buckets: [bucket], actions: ['read', 'list'] } });
  const limited = {
    ...cli.environment,
    MILLPOND_ACCESS_KEY: accessKey ?? '',
    MILLPOND_SECRET_KEY: secretKey ?? '',
  };
  expect(await finishCommand(limited, ['ls', `:${bucket}`])).toMatchObject({ code: 0 });
  for (const args of [
    ['rm', `:${bucket}/k`],
    ['ls', `:${await newBucket()}`],
    ['key', 'list'],
  ])
    expect(await finishCommand(limited, args)).toMatchObject({
      code: 4,
      stderr: expect.stringMatching(/limit actions: |limit buckets: |no key with limits/),
    });
  const until = ['--may', 'read', '--until', '2099-01-01T00:00:00Z'];
  expect(await cli.json(['key', 'limit', accessKey ?? '', ...until])).toEqual([
    { accessKey, limits: { actions: ['read'], expiresAt: 4_070_908_800 } },
  ]);
  const listed = await cli.json(['key', 'list', '--at', ':']);
  expect(listed.find((key) => key.access_key === accessKey)).toMatchObject({
    limits: { actions: ['read'], expiresAt: 4_070_908_800 },
  });
  expect(await cli.run(['key', 'limit', target.account.accessKey, '--may', 'read'])).toMatchObject({
    stderr: expect.stringContaining('sign it with the other key'),
  });
  await cli.run(['key', 'disable', accessKey ?? '']);
  expect(await cli.run(['key', 'delete', accessKey ?? ''])).toMatchObject({ code: 0 });
  expect(await cli.run(['key', 'create', 'a@example.com', '--kind', 'user'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('for operators'),
  });
});

test('a key that may do everything is made only where that is said, also for programs [key-limit-13]', async () => {
  // Other tests make keys of the same account meanwhile.
  const note = 'nobody said which';
  const made = async () =>
    (await cli.json(['key', 'list', '--at', ':'])).filter((key) => key.note === note).length;
  const refused = await cli.run(['key', 'create', '--note', note]);
  expect(refused).toMatchObject({ code: 2, stdout: '' });
  expect(refused.stderr).toContain('--kind root');
  const told = await cli.run(['key', 'create', '--note', note, '--json']);
  expect(told.code).toBe(2);
  expect(JSON.parse(told.stdout)).toMatchObject({
    status: 'failed',
    error: { message: expect.stringContaining('--kind root') },
  });
  expect(await made()).toBe(0);
});

test('over plain HTTP they are refused, and the remedy is said', async () => {
  const plain = { ...cli.environment, MILLPOND_ENDPOINT: target.url };
  expect(await finishCommand(plain, ['task', 'list'])).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/over HTTPS only: give an https:\/\/… address in MILLPOND_ENDPOINT/),
  });
});

test('deliveries are listed, shown and sent again', async () => {
  const bucket = await newBucket();
  let status = 500;
  const endpoint = receiver.at((response) => response.writeHead(status).end('{}'));
  const policy = { scope: bucket, callbackUrl: endpoint.url, callbackBody: 'key=$(key)' };
  expect((await upload(policy, 'content', { key: 'k' })).status).toBe(579);
  const failed = await cli.json(['deliveries', 'list', '--state', 'failed', '--limit', '1000']);
  const { id } = failed.find(({ subject }) => subject === `${bucket}:k`) ?? {};
  expect(await cli.json(['deliveries', 'show', String(id)])).toMatchObject([
    { id, kind: 'callback', state: 'failed', body: 'key=k', attempts: [{ status: 500, url: endpoint.url }] },
  ]);
  expect((await cli.run(['deliveries', 'show', String(id)])).stdout).toMatch(
    /\n\nkey=k\n\nATTEMPT +BEGUN +STATUS +MS +URL +ERROR\n1 /,
  );
  status = 200;
  expect(await cli.run(['deliveries', 'resend', String(id)])).toMatchObject({ code: 0 });
  await expect.poll(() => endpoint.requests.length).toBe(2);
  expect((await cli.run(['deliveries', 'endpoints'])).stdout).toMatch(/^ENDPOINT +NAME +STATE/);
  expect(await cli.run(['deliveries', 'recover'])).toMatchObject({ code: 2 });
  const now = new Date().toISOString();
  for (const [act, words] of [
    ['recover', 'nothing failed in this time'],
    ['replay', 'nothing was sent in this time'],
  ])
    expect((await cli.run(['deliveries', act ?? '', '--since', now])).stdout).toContain(words);
  expect(await cli.json(['deliveries', 'recover', '--since', now])).toEqual([{ count: 0 }]);
});

test('live shows namespaces, streams and their addresses', async () => {
  const { id, name } = await client.live.createNamespace({ name: `cli-${randomBytes(5).toString('hex')}` });
  await client.live.streams(id).create({ streamId: 'door' });
  const namespaces = await cli.json(['live', 'namespaces', '--limit', '1000']);
  expect(namespaces).toContainEqual({ id, name, type: 'rtmp', callback: '', disabled: false });
  expect(await cli.json(['live', 'streams', id])).toEqual([
    { stream: 'door', online: false, starting: false, disabled: false, pushed: null },
  ]);
  expect(await cli.json(['live', 'streams', id, '--online'])).toEqual([]);
  expect(await cli.json(['live', 'records', id, 'door'])).toEqual([]);
  const all = await operate(['live', 'streams', id, '--json']);
  expect(JSON.parse(all)).toMatchObject({ stream: 'door', online: false });
  expect(await operate(['live', 'namespaces', '--account', target.account.email])).toContain(id);
  expect(await operate(['live', 'records', id, 'door'])).toBe('START  END  TYPE  FILE\n');
  expect(await cli.run(['live', 'stop', id, 'nobody'])).toMatchObject({ code: 3 });
  expect(await cli.run(['live', 'streams', 'nothing'])).toMatchObject({ code: 3 });
  await client.live.streams(id).remove('door');
  await client.live.removeNamespace(id);
});
