/** Texts that a database can't hold, wherever a value goes to one: the caller's fault, and nobody else's. */
import { encodeBase64Text } from '@millpond/protocol';
import { beforeAll, describe, expect, test } from 'vitest';
import { createParent, operate } from '../support/accounts/operator.ts';
import { type Stored, store } from '../support/objects/objects.ts';
import { rawFetch } from '../support/raw.ts';
import { secureSigned } from '../support/running/secure.ts';
import { sendSigned } from '../support/signing.ts';
import { upload } from '../support/target.ts';

const JSON_TYPE = 'application/json';
const HYPHENS = '-'.repeat(36);

let object: Stored;
beforeAll(async () => {
  object = await store('a.txt', 'hello world');
});

describe('a NUL', () => {
  test.each(['/v4/query?ak=%00&bucket=x', '/v2/query?ak=%00', `/v4/query?ak=${'a'.repeat(129)}`])(
    'in a key that nobody signed with: %s',
    async (path) => {
      expect((await rawFetch({ target: path })).status).toBe(631);
    },
  );

  test.each([
    '/list?bucket=%00',
    '/list?bucket=BUCKET&delimiter=%00',
    '/list?bucket=BUCKET&prefix=%00',
    '/v2/list?bucket=BUCKET&delimiter=%00',
    '/v2/bucketInfo?bucket=%00',
    '/buckets?region=%00',
    '/v1/tasks?pipeline=%00',
    '/v1/tasks?bucket=BUCKET&key=%00',
    '/v1/namespaces?prefix=%00',
    '/v1/usage?bucket=%00',
    '/v1/tasks?state=constructor',
    '/v1/tasks?state=__proto__',
    `/v1/deliveries?marker=${HYPHENS}`,
    `/v1/deliveries/${HYPHENS}`,
    '/sisyphus/fetch?id=%00',
    '/v1/templates/%00',
  ])('in the query, or what is as odd: GET %s', async (path) => {
    const call = { method: 'GET', target: path.replace('BUCKET', object.bucket) };
    expectRefused(await secureSigned(call));
  });

  test.each([
    'bucket=BUCKET&key=%00&fops=imageInfo',
    'bucket=%00&key=a&fops=imageInfo',
    'bucket=BUCKET&key=a.txt&fops=imageInfo&pipeline=%00',
    'bucket=BUCKET&key=a.txt&workflowTemplateID=%00',
  ])('in a form: %s', async (form) => {
    expectRefused(await secureSigned({ target: '/pfop/', body: form.replace('BUCKET', object.bucket) }));
  });

  test.each([
    ['/v1/triggers', { bucket: '\0', workflow: 'x' }],
    ['/v1/triggers', { bucket: 'BUCKET', workflow: '\0' }],
    ['/v1/namespaces', { name: 'a\0' }],
    ['/sisyphus/fetch', { url: 'http://127.0.0.1:1/', bucket: '\0' }],
    ['/sisyphus/fetch', { url: 'http://127.0.0.1:1/', bucket: 'BUCKET', key: '\0' }],
  ])('in JSON: %s %j', async (path, value) => {
    const body = JSON.stringify(value).replace('BUCKET', object.bucket);
    expectRefused(await secureSigned({ target: path, contentType: JSON_TYPE, body }));
  });

  test('in a condition', async () => {
    const [mime, condition] = ['image/png', 'hash=\0'].map(encodeBase64Text);
    const entry = encodeBase64Text(`${object.bucket}:a.txt`);
    expectRefused(await sendSigned({ target: `/chgm/${entry}/mime/${mime}/cond/${condition}` }));
  });

  test.each([
    { endUser: 'a\0b' },
    { scope: 'ph\0' },
    { persistentOps: 'imageInfo', persistentPipeline: '\0' },
  ])('in a policy: %j', async (policy) => {
    const answer = await upload({ scope: object.bucket, ...policy }, 'x', { key: 'policy' });
    expect([answer.status >= 400 && answer.status < 500, answer.status === 631]).toContain(true);
  });
});

function expectRefused(answer: { status: number; text(): string }): void {
  // 599 would be a failure of ours, and in the log.
  expect([400, 404, 612, 613, 631, 640], answer.text()).toContain(answer.status);
}

test('a stream of keys that can’t be does not keep a disabled one in use', async () => {
  const parent = await createParent();
  const buckets = { method: 'GET', target: '/buckets' };
  expect((await sendSigned(buckets, { keys: parent })).status).toBe(200);
  let isOver = false;
  const stream = (async () => {
    while (!isOver) await rawFetch({ target: '/v4/query?ak=%00' });
  })();
  try {
    await operate(['account', 'disable', parent.email]);
    const status = async () => (await sendSigned(buckets, { keys: parent })).status;
    await expect.poll(status).toBe(401);
  } finally {
    isOver = true;
    await stream;
  }
});
