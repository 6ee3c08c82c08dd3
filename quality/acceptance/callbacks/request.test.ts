/** What a receiver gets, when, and what becomes of its answer. */
import { encodeBase64Text, formatEntry } from '@millpond/protocol';
import { signedFetch } from '@millpond/testing';
import { describe, expect, test } from 'vitest';
import { expectNothing, recordOf } from '../support/expectations.ts';
import { newKey, useRegion } from '../support/receivers/callbacks.ts';
import { json, reply, type Script, useReceiver } from '../support/receivers/receiver.ts';
import { newBucket, stat, target, upload } from '../support/target.ts';

const receiver = useReceiver();
const secure = useReceiver({ secure: true });
const region = useRegion();
const FORM = 'application/x-www-form-urlencoded';

describe('a callback', () => {
  test('is one POST after the upload, and its JSON answer is the answer of the upload [callback-01 callback-07 policy-callback-01 policy-callback-05]', async () => {
    const bucket = await newBucket();
    const endpoint = receiver.at(json({ accepted: true, id: 7 }));
    const policy = { scope: bucket, callbackUrl: endpoint.url, callbackBody: 'key=$(key)&hash=$(etag)' };
    const answer = await upload(policy, 'hello world', { key: 'k' });
    expect([answer.status, await answer.text()]).toEqual([200, '{"accepted":true,"id":7}']);
    expect(answer.headers.get('content-type')).toBe('application/json');
    const { method, target: path, headers, text } = endpoint.only;
    expect({ method, path, text }).toEqual({
      method: 'POST',
      path: new URL(endpoint.url).pathname,
      text: 'key=k&hash=FiqubDXJT8-0FdvpX0CLnOke6Ebt',
    });
    expect(headers['content-type']).toBe(FORM);
    expect(headers['content-length']).toBe(String(text.length));
    expect(headers['x-reqid']).toBe(answer.headers.get('x-reqid'));
    expect((await recordOf(bucket, 'k')).fsize).toBe(11);
  });

  test('goes to an https URL too [policy-callback-02]', async () => {
    const bucket = await newBucket();
    const endpoint = secure.at(json({ over: 'TLS' }));
    const answer = await upload({ scope: bucket, callbackUrl: endpoint.url, callbackBody: 'k=$(key)' }, 'x', {
      key: 'k',
    });
    expect([answer.status, await answer.json()]).toEqual([200, { over: 'TLS' }]);
    expect(endpoint.only.text).toBe('k=k');
  });

  test('carries every variable filled in, and constants as written [policy-callback-03 policy-callback-04]', async () => {
    const bucket = await newBucket();
    const endpoint = receiver.at(json({}));
    const callbackBody =
      'a=1&key=$(key)&name=$(fname)&who=$(x:who)&c=a%20b+c&where=$(x:where)&none=$(x:none)';
    const answer = await upload({ scope: bucket, callbackUrl: endpoint.url, callbackBody }, 'content', {
      key: 'dir/k',
      fileName: 'holiday.txt',
      fields: { 'x:who': 'me', 'x:where': 'here' },
    });
    expect(answer.status).toBe(200);
    expect(endpoint.only.text).toBe('a=1&key=dir%2Fk&name=holiday.txt&who=me&c=a%20b+c&where=here&none=');
  });

  test('has the Content-Type of callbackBodyType, as it is written [callback-06 callback-sign-08]', async () => {
    const bucket = await newBucket();
    for (const callbackBodyType of [FORM, 'application/json', 'application/json; charset=utf-8']) {
      const endpoint = receiver.at(json({}));
      const callbackBody = callbackBodyType === FORM ? 'k=$(key)' : '{"k":$(key)}';
      const policy = { scope: bucket, callbackUrl: endpoint.url, callbackBody, callbackBodyType };
      expect((await upload(policy, 'content', { key: 'k' })).status).toBe(200);
      expect(endpoint.only.headers['content-type']).toBe(callbackBodyType);
    }
  });

  test('without callbackBody has an empty body, and the upload succeeds [callback-05 callback-rule-16 G6]', async () => {
    const bucket = await newBucket();
    const endpoint = receiver.at(json({ got: 'it' }));
    const answer = await upload({ scope: bucket, callbackUrl: endpoint.url }, 'content', { key: 'k' });
    expect([answer.status, await answer.json()]).toEqual([200, { got: 'it' }]);
    expect(endpoint.only.body.length).toBe(0);
    expect(endpoint.only.headers['content-type']).toBe(FORM);
  });

  test('is not made without callbackUrl, nor by an upload that fails [callback-03 callback-04]', async () => {
    const bucket = await newBucket();
    const endpoint = receiver.at(json({}));
    const policy = { scope: bucket, callbackUrl: endpoint.url, callbackBody: 'k=$(key)' };
    expect((await upload({ scope: bucket, callbackBody: 'k=$(key)' }, 'content', { key: 'k' })).status).toBe(
      200,
    );
    expect((await upload(policy, 'other content', { key: 'k' })).status).toBe(614);
    expect((await upload({ ...policy, scope: `${bucket}:mine` }, 'content', { key: 'other' })).status).toBe(
      403,
    );
    expect((await upload({ ...policy, fsizeMin: 100 }, 'content', { key: 'small' })).status).toBe(403);
    expect((await upload({ ...policy, fsizeLimit: 3 }, 'content', { key: 'large' })).status).toBe(413);
    expect((await upload(policy, 'content', { key: 'crc', fields: { crc32: '1' } })).status).toBe(406);
    expect(endpoint.requests).toEqual([]);
    expect(await region.database.deliveriesOf(`${bucket}:k`)).toEqual([]);
    await expectNothing(bucket, 'crc');
  });

  test('is made again for identical content under the scope of a bucket [policy-rule-14]', async () => {
    const bucket = await newBucket();
    const endpoint = receiver.at(json({}));
    const policy = { scope: bucket, callbackUrl: endpoint.url, callbackBody: 'k=$(key)&h=$(etag)' };
    expect((await upload(policy, 'content', { key: 'k' })).status).toBe(200);
    const before = await recordOf(bucket, 'k');
    expect((await upload(policy, 'content', { key: 'k' })).status).toBe(200);
    expect(await recordOf(bucket, 'k')).toEqual(before);
    expect(endpoint.requests.map(({ text }) => text)).toHaveLength(2);
    expect(endpoint.requests[1]?.text).toBe(endpoint.requests[0]?.text);
  });

  test('beats returnUrl: no redirect is sent [form-18]', async () => {
    const bucket = await newBucket();
    const endpoint = receiver.at(json({ by: 'callback' }));
    const policy = {
      scope: bucket,
      callbackUrl: endpoint.url,
      returnUrl: 'http://example.com/',
      returnBody: '{}',
    };
    const answer = await upload(policy, 'content', { key: 'k' });
    expect([answer.status, answer.headers.get('location'), await answer.json()]).toEqual([
      200,
      null,
      { by: 'callback' },
    ]);
    expect(endpoint.requests).toHaveLength(1);
  });

  test('bears callbackHost as its Host, and still goes to the address of callbackUrl [callback-rule-18 outbound-15]', async () => {
    const bucket = await newBucket();
    const endpoint = receiver.at(json({}));
    const plain = { scope: bucket, callbackUrl: endpoint.url };
    expect((await upload(plain, 'content', { key: 'k' })).status).toBe(200);
    const policy = { ...plain, callbackHost: 'business.example.com:8443' };
    expect((await upload(policy, 'content', { key: 'k' })).status).toBe(200);
    const hosts = endpoint.requests.map(({ headers }) => headers.host);
    expect(hosts).toEqual([`127.0.0.1:${receiver.port}`, 'business.example.com:8443']);
  });
});

describe('the answer of a receiver', () => {
  test('is passed on byte for byte, whatever JSON it is [callback-07 callback-rule-09]', async () => {
    const bucket = await newBucket();
    for (const body of [
      ' {\n "putTime" : 17012345678901234567890, "e":1.0e2, "dup":1, "dup":2 }\r\n',
      '"text"',
      'null',
      '[]',
      '{"é":"\\u00e9\\/"}',
    ]) {
      const endpoint = receiver.at(reply(200, body, 'text/plain'));
      const answer = await upload({ scope: bucket, callbackUrl: endpoint.url }, 'content', { key: 'k' });
      expect([answer.status, await answer.text()]).toEqual([200, body]);
      expect(answer.headers.get('content-type')).toBe('application/json');
    }
  });
});

describe('a receiver that works on the same key before it answers', () => {
  const { url, account } = target;

  test('finds the object by stat, may change it, write it anew and delete it [callback-02 callback-rule-02 G2]', async () => {
    const bucket = await newBucket();
    const entry = formatEntry(bucket, 'k');
    const seen: unknown[] = [];
    const script: Script = async (response) => {
      const { hash } = await recordOf(bucket, 'k');
      const change = `/chgm/${entry}/mime/${encodeBase64Text('text/x-inside')}/cond/${encodeBase64Text(`hash=${hash}`)}`;
      const changed = await signedFetch(url, account, change);
      const { mimeType } = await recordOf(bucket, 'k');
      const again = await upload({ scope: `${bucket}:k` }, 'from inside the callback', { key: 'k' });
      const removed = await signedFetch(url, account, `/delete/${entry}`);
      seen.push(
        hash,
        changed.status,
        mimeType,
        again.status,
        removed.status,
        (await stat(bucket, 'k')).status,
      );
      json({ seen: seen.length })(response, endpoint.only);
    };
    const endpoint = receiver.at(script);
    const answer = await upload({ scope: bucket, callbackUrl: endpoint.url }, 'hello world', { key: 'k' });
    // A lock would be waited for until the callback's 10 seconds are over, and the answer be 579.
    expect([answer.status, await answer.json()]).toEqual([200, { seen: 6 }]);
    expect(seen).toEqual(['FiqubDXJT8-0FdvpX0CLnOke6Ebt', 200, 'text/x-inside', 200, 200, 612]);
    await expectNothing(bucket, 'k');
  });

  test('finds it on the way of an overwrite too, as the new content [callback-02 G1]', async () => {
    const bucket = await newBucket();
    await upload({ scope: bucket }, 'old', { key: 'k' });
    const key = 'k';
    let size = 0;
    const endpoint = receiver.at(async (response, received) => {
      size = (await recordOf(bucket, key)).fsize;
      json({})(response, received);
    });
    const answer = await upload({ scope: `${bucket}:k`, callbackUrl: endpoint.url }, 'new content', { key });
    expect([answer.status, size]).toEqual([200, 11]);
  });
});

describe('the record of a callback', () => {
  test('holds what was sent, by which key, each try, its status and its time [callback-rule-14]', async () => {
    const [bucket, key] = [await newBucket(), newKey()];
    const bad = receiver.at(json({ error: 'not\0today' }, 503));
    const good = receiver.at(json({ fine: true }));
    const policy = { scope: bucket, callbackUrl: `${bad.url};${good.url}`, callbackBody: 'k=$(key)' };
    const before = Date.now();
    const answer = await upload(policy, 'content', { key });
    expect(answer.status).toBe(200);
    const [delivery, ...others] = await region.database.deliveriesOf(`${bucket}:${key}`);
    expect(others).toEqual([]);
    expect(delivery).toMatchObject({
      kind: 'callback',
      uid: target.account.uid,
      accessKey: target.account.accessKey,
      state: 'delivered',
      urls: [bad.url, good.url],
      host: null,
      contentType: FORM,
      body: `k=${key}`,
      reqid: answer.headers.get('x-reqid'),
      attempts: [
        { url: bad.url, status: 503, error: 'nottoday', response: '{"error":"not\\u0000today"}' },
        { url: good.url, status: 200, error: null, response: '{"fine":true}' },
      ],
    });
    expect(delivery?.id).toBe(good.only.headers['webhook-id']);
    const [first, second] = delivery?.attempts ?? [];
    for (const attempt of [first, second]) {
      expect(attempt?.durationMs).toBeGreaterThanOrEqual(0);
      expect(attempt?.begunAt.getTime()).toBeGreaterThan(before - 2000);
      expect(attempt?.begunAt.getTime()).toBeLessThan(Date.now() + 2000);
    }
    expect(first?.begunAt.getTime()).toBeLessThanOrEqual(second?.begunAt.getTime() ?? 0);
  });

  test('of one that failed says so [callback-rule-14]', async () => {
    const [bucket, key] = [await newBucket(), newKey()];
    const endpoint = receiver.at(reply(500, 'nothing to see', 'text/plain'));
    const answer = await upload({ scope: bucket, callbackUrl: endpoint.url }, 'content', { key });
    expect(answer.status).toBe(579);
    expect(await region.database.deliveriesOf(`${bucket}:${key}`)).toMatchObject([
      { state: 'failed', attempts: [{ status: 500, error: 'status 500' }] },
    ]);
  });
});
