/** Receivers that fail at once: what the client is told, and that the object stays. */
import { freePort, uploadForm, uploadToken } from '@millpond/testing';
import { describe, expect, test } from 'vitest';
import { expectContent } from '../support/expectations.ts';
import { beginUpload } from '../support/objects/multipart.ts';
import { failureOf } from '../support/receivers/callbacks.ts';
import {
  cut,
  json,
  redirect,
  reply,
  reset,
  type Script,
  useReceiver,
} from '../support/receivers/receiver.ts';
import { newBucket, target, upload } from '../support/target.ts';

const receiver = useReceiver();
const FORM = 'application/x-www-form-urlencoded';
const HASH = 'FiqubDXJT8-0FdvpX0CLnOke6Ebt';

async function failed(script: Script, policy: Record<string, unknown> = {}) {
  const bucket = await newBucket();
  const endpoint = receiver.at(script);
  const full = { scope: bucket, callbackUrl: endpoint.url, callbackBody: 'k=$(key)&h=$(etag)', ...policy };
  const token = uploadToken(target.account, full);
  const answer = await uploadForm(target.url, 'hello world', { token, key: 'k' });
  return { bucket, endpoint, token, failure: await failureOf(answer) };
}

describe('a callback that fails', () => {
  test('answers 579 with a string that holds all eight fields, and no secret [callback-fail-01 callback-fail-02 callback-fail-03 callback-fail-04 callback-fail-05 callback-fail-06 callback-fail-07 callback-fail-08 callback-fail-09 callback-fail-10 callback-rule-10 G4]', async () => {
    const { endpoint, token, failure } = await failed(reply(500, 'no', 'text/plain'));
    expect(failure).toEqual({
      callback_url: endpoint.url,
      callback_bodyType: FORM,
      callback_body: `k=k&h=${HASH}`,
      token,
      err_code: 500,
      error: 'status 500',
      hash: HASH,
      key: 'k',
    });
    const text = JSON.stringify(failure);
    for (const secret of [target.account.secretKey, 'whsec_']) expect(text).not.toContain(secret);
  });

  test('names the token of a resumable upload too, and of its repetition that one’s own [callback-rule-10]', async () => {
    const bucket = await newBucket();
    const callbackUrl = receiver.at(json({}, 500)).url;
    const token = (deadline: number) =>
      uploadToken(target.account, { scope: `${bucket}:k`, callbackUrl, deadline });
    const now = Math.floor(Date.now() / 1000);
    const [first, renewed] = [token(now + 3600), token(now + 7200)];
    const begun = (await beginUpload(bucket, { key: 'k' })).by({ token: first });
    const { etag } = (await (await begun.put(1, 'hello world')).json()) as { etag: string };
    const parts = [{ partNumber: 1, etag }];
    expect((await failureOf(await begun.complete(parts))).token).toBe(first);
    expect((await failureOf(await begun.by({ token: renewed }).complete(parts))).token).toBe(renewed);
  });

  test('leaves the object where it is [callback-rule-01 G1]', async () => {
    const { bucket } = await failed(json({}, 500));
    await expectContent(bucket, 'k', 'hello world');
  });

  test('names the JSON body and type that were sent [callback-fail-04 callback-fail-05]', async () => {
    const { failure } = await failed(json({}, 404), {
      callbackBody: '{"name":$(fname),"x":"a&b"}',
      callbackBodyType: 'application/json',
    });
    expect(failure.callback_bodyType).toBe('application/json');
    expect(JSON.parse(failure.callback_body)).toEqual({ name: 'file', x: 'a&b' });
    expect(failure.err_code).toBe(404);
  });

  test.each([
    [500, { error: 'a=1&b=2' }, 'a=1&b=2'],
    [400, { error: 'no such "order"' }, 'no such "order"'],
    [401, { error: { nested: true } }, 'status 401'],
    [403, ['error'], 'status 403'],
    [201, {}, 'status 201'],
    [202, { error: 'later' }, 'later'],
  ])(
    'with %i and %j passes on the status and the error [callback-08 callback-rule-09 callback-rule-12]',
    async (status, body, error) => {
      const { failure } = await failed(json(body, status));
      expect([failure.err_code, failure.error]).toEqual([status, error]);
    },
  );

  test('with 204 is a failure too [callback-rule-09]', async () => {
    const { failure } = await failed(reply(204));
    expect(failure.err_code).toBe(204);
  });

  test.each([
    ['HTML', '<html><body>ok</body></html>', 'text/html'],
    ['HTML that says it is JSON', '<html></html>', 'application/json'],
    ['an empty body', '', 'application/json'],
    ['half of an object', '{"key":', 'application/json'],
    ['JavaScript', "{key:'k'}", 'application/json'],
    ['two values', '{}{}', 'application/json'],
    ['a byte order mark', '\ufeff{}', 'application/json'],
    ['bytes that are not UTF-8', Buffer.from([0x22, 0xff, 0x22]), 'application/json'],
  ])('with 200 and %s says so [G3]', async (_, body, type) => {
    const { failure, bucket } = await failed(reply(200, body, type));
    expect([failure.err_code, failure.error]).toEqual([200, 'unexpected response']);
    await expectContent(bucket, 'k', 'hello world');
  });

  test('by more than 1 MB of JSON, in headers, or cut in the middle, has no error code [G3 callback-rule-11 outbound-13]', async () => {
    const big = JSON.stringify('x'.repeat(1024 * 1024 + 1));
    for (const script of [
      reply(200, big),
      ((response) => {
        for (let i = 0; i < 400; i++) response.setHeader(`x-header-${i}`, 'x'.repeat(100));
        response.end('{}');
      }) satisfies Script,
      cut,
    ]) {
      const { failure } = await failed(script);
      expect(failure.err_code).toBe(0);
      expect(failure.error).toMatch(/^[\w ,]+$/);
    }
    const { failure } = await failed(reset);
    expect([failure.err_code, failure.error]).toEqual([0, 'the connection was lost before an answer came']);
  });

  test('by a redirect is not followed [G3 outbound-10]', async () => {
    const aim = receiver.at(json({}));
    const { failure } = await failed(redirect(aim.url));
    expect([failure.err_code, failure.error]).toEqual([302, 'status 302']);
    expect(aim.requests).toEqual([]);
  });

  test('where nobody listens has no error code [callback-rule-11]', async () => {
    const bucket = await newBucket();
    const callbackUrl = `http://127.0.0.1:${await freePort()}/`;
    const failure = await failureOf(
      await upload({ scope: bucket, callbackUrl }, 'hello world', { key: 'k' }),
    );
    expect(failure).toMatchObject({
      callback_url: callbackUrl,
      err_code: 0,
      error: 'the connection was refused',
    });
    await expectContent(bucket, 'k', 'hello world');
  });

  test('by a name that is not there has no error code [callback-rule-11]', async () => {
    const bucket = await newBucket();
    const callbackUrl = 'http://nobody.invalid/callback';
    const failure = await failureOf(
      await upload({ scope: bucket, callbackUrl }, 'hello world', { key: 'k' }),
    );
    expect(failure).toMatchObject({ callback_url: callbackUrl, err_code: 0 });
  });

  test('never answers a status that clients try again [G5]', async () => {
    const bucket = await newBucket();
    // What Qiniu’s SDKs do not send again, of the statuses from 500 on.
    const final = new Set([579, 608, 612, 614, 630, 631, 640, 701]);
    const statuses: number[] = [];
    for (const script of [
      json({}, 500),
      json({}, 503),
      json({}, 599),
      json({}, 571),
      reset,
      cut,
      reply(200),
    ]) {
      const policy = { scope: `${bucket}:k`, callbackUrl: receiver.at(script).url };
      statuses.push((await upload(policy, 'content', { key: 'k' })).status);
    }
    statuses.push((await upload({ scope: bucket }, 'different', { key: 'k' })).status);
    statuses.push((await upload({ scope: 'no-such-bucket-here' }, 'x', { key: 'k' })).status);
    expect(statuses).toEqual([579, 579, 579, 579, 579, 579, 579, 614, 631]);
    for (const status of statuses) expect(final).toContain(status);
  });
});
