/** Files that come before their token wait in memory, within limits: nobody without a token may fill the store. */
import {
  type Account,
  createBucket,
  createDeployment,
  type Deployment,
  type ServerProcess,
  stat,
  uploadToken,
} from '@millpond/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectRefusal } from '../support/expectations.ts';
import { blobsOf } from '../support/objects/blobs.ts';
import {
  type FormResponse,
  field,
  file,
  head,
  openUpload,
  postParts,
  type RawUpload,
  wholeBody,
} from '../support/raw-form.ts';
import { target } from '../support/target.ts';

const MIB = 1024 * 1024;
const bucket = 'late-tokens';
let deployment: Deployment;
let server: ServerProcess;
let account: Account;

beforeAll(async () => {
  deployment = await createDeployment({ store: target.store });
  account = await deployment.createAccount();
  // So many crumbs take longer than a body without a token may.
  server = await deployment.start({ settings: { MILLPOND_BODY_TIMEOUT: '5m' } });
  await createBucket(server.url, account, bucket);
});

afterAll(() => deployment?.destroy());

function sendLate(key: string, content: Uint8Array | string): Promise<FormResponse> {
  const token = uploadToken(account, { scope: bucket });
  return postParts(server.url, [file(content), field('key', key), field('token', token)]);
}

const statusOf = async (key: string) => (await stat(server.url, account, bucket, key)).status;

test('a token after a file of 8 MiB is accepted [form-02]', async () => {
  const content = Buffer.alloc(8 * MIB, 'late ');
  expect((await sendLate('largest', content)).status).toBe(200);
  const answer = await fetch(`${server.url}/${bucket}/largest`);
  expect(content.equals(Buffer.from(await answer.arrayBuffer()))).toBe(true);
});

test('a token after a file of one byte more is refused, and nothing of the file is stored [form-03]', async () => {
  const before = await blobsOf(deployment);
  await expectRefusal(await sendLate('larger', Buffer.alloc(8 * MIB + 1)), 400, 'invalid multipart format');
  expect(await statusOf('larger')).toBe(612);
  expect(await blobsOf(deployment)).toEqual(before);
});

test('a large file without a token is refused once 8 MiB have come, without waiting for its end [form-03]', async () => {
  const sending = await openUpload(server.url);
  await sending.send(head({ name: 'file', fileName: 'f' }));
  await sending.send(Buffer.alloc(9 * MIB));
  await expectRefusal(await sending.answer, 400, 'invalid multipart format');
  sending.leave();
});

test('with 64 MiB of files waiting for their token the next answers 573, until there is room again [form-04]', async () => {
  const waiting: RawUpload[] = [];
  const wait = async (from: string) => {
    const sending = await openUpload(server.url, { from });
    waiting.push(sending);
    await sending.send(head({ name: 'file', fileName: 'f' }));
    await sending.send(Buffer.alloc(8 * MIB));
    return sending;
  };
  try {
    // An address gets no more than it leaves for others: half, and of what is left half again.
    for (let index = 0; index < 4; index++) await wait('127.0.0.1');
    await untilWaiting(32 * MIB);
    const refused = await sendLate('refused', 'content');
    await expectRefusal(refused, 573, 'too many requests');
    for (let index = 0; index < 2; index++) await wait('127.0.0.2');
    await untilWaiting(48 * MIB);
    await wait('127.0.0.3');
    await untilWaiting(56 * MIB);
    const unlucky = await wait('127.0.0.4');
    await expectRefusal(await unlucky.answer, 573, 'too many requests');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await statusOf('refused')).toBe(612);

    // Who shows a token first needs none of that memory.
    const token = field('token', uploadToken(account, { scope: bucket }));
    const first = await postParts(server.url, [token, field('key', 'token first'), file('content')]);
    expect(first.status).toBe(200);

    // One of those that wait gets its token after all; the others leave.
    const [one] = waiting;
    await one?.send(Buffer.from('\r\n'));
    await one?.send(wholeBody([token, field('key', 'waited')]));
    expect((await one?.finish())?.status).toBe(200);
    expect(await statusOf('waited')).toBe(200);
  } finally {
    for (const sending of waiting) sending.leave();
  }
  await untilWaiting(0);
  expect((await sendLate('room again', 'content')).status).toBe(200);
});

const CRUMBS = 400_000;

test('a file in crumbs of one byte waits for its token in no more memory than its bytes [form-04]', async () => {
  const sending = await openUpload(server.url);
  await sending.send(head({ name: 'file', fileName: 'f' }));
  const before = await residentMiB();
  // Chunks of one byte each, many to a packet; so many are read slowly.
  await sending.sendRaw(Buffer.from('1\r\nx\r\n'.repeat(CRUMBS)));
  await untilWaiting(CRUMBS);
  expect((await residentMiB()) - before).toBeLessThan(60);
  await sending.send(Buffer.from('\r\n'));
  await sending.send(
    wholeBody([field('token', uploadToken(account, { scope: bucket })), field('key', 'crumbs')]),
  );
  expect((await sending.finish()).status).toBe(200);
  const record = await stat(server.url, account, bucket, 'crumbs');
  expect(await record.json()).toMatchObject({ fsize: CRUMBS });
});

/** The server takes bytes in its own time, a slow machine in a long one. */
async function untilWaiting(bytes: number): Promise<void> {
  await expect.poll(() => metric('millpond_waiting_file_bytes'), { interval: 50 }).toBe(bytes);
}

async function residentMiB(): Promise<number> {
  return (await metric('process_resident_memory_bytes')) / MIB;
}

async function metric(name: string): Promise<number> {
  const metrics = await (await fetch(`${server.adminUrl}/metrics`)).text();
  const line = metrics.split('\n').find((each) => each.startsWith(`${name} `));
  if (line === undefined) throw new Error(`no metric ${name}`);
  return Number(line.slice(name.length + 1));
}
