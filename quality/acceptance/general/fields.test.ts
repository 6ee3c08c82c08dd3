/** Names and values that a call is asked by: what it can't do without, and what is there twice. */
import { formatEntry } from '@millpond/protocol';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectAccountError } from '../support/accounts/account-errors.ts';
import type { RawResponse } from '../support/raw.ts';
import { secureSigned } from '../support/running/secure.ts';
import { sendSigned } from '../support/signing.ts';
import { newBucket } from '../support/target.ts';

let bucket: string;
beforeAll(async () => {
  bucket = await newBucket();
});

describe('a call that does not say which bucket it is about answers 400 and says so', () => {
  test.each([
    ['GET', '/list'],
    ['GET', '/list?bucket='],
    ['GET', '/list?Bucket=photos'],
    ['POST', '/list?limit=1'],
    ['GET', '/v2/list'],
    ['GET', '/v2/list?bucket='],
    ['POST', '/private?private=1'],
    ['GET', '/v2/bucketInfo'],
    ['GET', '/bucketTagging'],
    ['PUT', '/bucketTagging'],
    ['DELETE', '/bucketTagging'],
    ['POST', '/rules/add?name=a'],
    ['POST', '/rules/get'],
  ])('%s %s', async (method, target) => {
    const answer = await sendSigned({ method, target });
    expect([answer.status, answer.json()]).toEqual([
      400,
      { error: 'invalid argument', hint: 'bucket is missing' },
    ]);
  });

  test.each(['/v2/domains', '/v3/domains'])('GET %s, which calls it tbl', async (target) => {
    const answer = await sendSigned({ method: 'GET', target });
    expect([answer.status, answer.json()]).toMatchObject([400, { hint: 'tbl is missing' }]);
  });
});

describe('what is given twice is refused and named', () => {
  const expectTwice = (answer: RawResponse, name: string) =>
    expect([answer.status, answer.json()]).toEqual([
      400,
      { error: 'invalid argument', hint: `"${name}" is given twice` },
    ]);

  test.each(['/list', '/v2/list', '/v2/bucketInfo', '/bucketTagging'])('in the query of %s', async (path) => {
    const target = `${path}?bucket=${bucket}&bucket=${bucket}`;
    expectTwice(await sendSigned({ method: 'GET', target }), 'bucket');
  });

  test('in the form of a call on a bucket, of a task, of its status', async () => {
    const body = `bucket=${bucket}&private=0&private=1`;
    expectTwice(await sendSigned({ target: '/private', body }), 'private');
    const task = `bucket=${bucket}&key=a&key=b&fops=avinfo`;
    expectTwice(await secureSigned({ target: '/pfop/', body: task }), 'key');
    expectTwice(await secureSigned({ method: 'GET', target: '/status/get/prefop?id=a&id=b' }), 'id');
  });

  test('in the form and in the query of an account call', async () => {
    const body = 'email=a%40example.com&email=b%40example.com&password=correct+horse';
    expectAccountError(await secureSigned({ target: '/v1/user/create_child', body }), 8);
    expectAccountError(await secureSigned({ method: 'GET', target: '/v1/user/children?limit=1&limit=2' }), 8);
  });

  test('in the path of a change of metadata, in whatever case', async () => {
    const entry = formatEntry(bucket, 'k');
    const answer = await sendSigned({ target: `/chgm/${entry}/x-svc-meta-a/MQ/X-Svc-Meta-A/Mg` });
    expect([answer.status, answer.json()]).toMatchObject([
      400,
      { hint: 'the metadata name a is given twice' },
    ]);
  });

  test('but not the operations of a batch', async () => {
    const op = `op=/stat/${formatEntry(bucket, 'k')}`;
    const answer = await sendSigned({ target: '/batch', body: `${op}&${op}` });
    expect(answer.status).toBe(298);
  });
});
