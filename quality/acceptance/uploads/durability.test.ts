/** Uploads that end badly leave nothing; uploads that were answered stay, on every gateway. */
import {
  type Account,
  createBucket,
  createDeployment,
  type Deployment,
  type ServerProcess,
  stat,
  uploadForm,
  uploadToken,
} from '@millpond/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { blobsOf } from '../support/objects/blobs.ts';
import { CLOSING, field, head, openBody, openUpload } from '../support/raw-form.ts';
import { target } from '../support/target.ts';

let deployment: Deployment;
let gateways: [ServerProcess, ServerProcess];
let account: Account;
const bucket = 'durable';

beforeAll(async () => {
  deployment = await createDeployment({ store: target.store });
  account = await deployment.createAccount();
  gateways = await Promise.all([deployment.start(), deployment.start()]);
  await createBucket(gateways[0].url, account, bucket);
});

afterAll(() => deployment?.destroy());

const statusOf = async (url: string, key: string) => (await stat(url, account, bucket, key)).status;
const read = (url: string, key: string) => fetch(`${url}/${bucket}/${key}`);

test.each([
  ['some bytes', 4096, false],
  ['many megabytes, so that parts of it are with the store already', 20 * 1024 * 1024, true],
])('a client that leaves after %s leaves no object and no bytes [form-14]', async (_, size, isStored) => {
  const [{ url }] = gateways;
  const before = await blobsOf(deployment);
  const sending = await openUpload(url);
  const token = uploadToken(account, { scope: bucket });
  await sending.send(openBody([field('token', token), field('key', 'left')]));
  await sending.send(head({ name: 'file', fileName: 'f' }));
  await sending.send(Buffer.alloc(size, 'x'));
  if (isStored)
    await expect
      .poll(async () => (await blobsOf(deployment)).unfinished.length)
      .toBeGreaterThan(before.unfinished.length);
  sending.leave();
  await expect.poll(() => blobsOf(deployment)).toEqual(before);
  expect(await statusOf(url, 'left')).toBe(612);
  expect((await read(url, 'left')).status).toBe(404);
});

test('a body that ends early, and uploads that are refused at their end, leave no unfinished bytes [form-11]', async () => {
  const [{ url }] = gateways;
  const before = await blobsOf(deployment);
  const content = Buffer.alloc(20 * 1024 * 1024, 'x');
  const refusals: [Record<string, unknown>, Buffer, number][] = [
    [{}, Buffer.from('\r\n'), 400],
    [{ fsizeMin: content.length + 1 }, Buffer.concat([Buffer.from('\r\n'), CLOSING]), 403],
  ];
  for (const [policy, ending, status] of refusals) {
    const sending = await openUpload(url);
    const token = uploadToken(account, { scope: bucket, ...policy });
    await sending.send(openBody([field('token', token), field('key', 'cut')]));
    await sending.send(head({ name: 'file', fileName: 'f' }));
    await sending.send(content);
    await sending.send(ending);
    expect((await sending.finish()).status).toBe(status);
    expect(await blobsOf(deployment)).toEqual(before);
  }
  expect(await statusOf(url, 'cut')).toBe(612);
});

test('an answered upload is there at once on every gateway, and after kill -9 of the one that took it [form-15]', async () => {
  const [first, second] = gateways;
  const contents = new Map([
    ['small', 'a few words'],
    ['large', 'many words '.repeat(1_000_000)],
  ]);
  for (const [key, content] of contents) {
    const token = uploadToken(account, { scope: bucket });
    const answer = await uploadForm(first.url, content, { token, key });
    expect(answer.status).toBe(200);
    expect(await statusOf(second.url, key)).toBe(200);
    expect((await (await read(second.url, key)).text()) === content).toBe(true);
  }
  const last = await uploadForm(first.url, 'the last', {
    token: uploadToken(account, { scope: bucket }),
    key: 'last',
  });
  expect(last.status).toBe(200);
  await first.kill('SIGKILL');
  const restarted = await deployment.start();
  for (const { url } of [second, restarted]) {
    for (const [key, content] of [...contents, ['last', 'the last'] as const])
      expect((await (await read(url, key)).text()) === content, key).toBe(true);
  }
});
