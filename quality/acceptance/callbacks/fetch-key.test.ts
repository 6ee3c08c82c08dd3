/** callbackFetchKey: the receiver is asked first, and names the object. */
import { describe, expect, test } from 'vitest';
import { expectContent, expectNothing, expectRefusal } from '../support/expectations.ts';
import { failureOf, useRegion } from '../support/receivers/callbacks.ts';
import { hang, json, reply, reset, type Script, useReceiver } from '../support/receivers/receiver.ts';
import { newBucket, stat, upload } from '../support/target.ts';

const receiver = useReceiver();
const region = useRegion();
const HASH = 'FiqubDXJT8-0FdvpX0CLnOke6Ebt';

function uploadFor(bucket: string, script: Script, policy: Record<string, unknown> = {}) {
  const endpoint = receiver.at(script);
  const full = {
    scope: bucket,
    callbackUrl: endpoint.url,
    callbackBody: 'key=$(key)&hash=$(etag)',
    callbackFetchKey: 1,
    ...policy,
  };
  return { endpoint, answer: upload(full, 'hello world', { fileName: 'f' }) };
}

describe('callbackFetchKey 1', () => {
  test('stores the object under the key that the receiver names, and passes its payload on [callback-rule-03]', async () => {
    const bucket = await newBucket();
    const seen: number[] = [];
    const { endpoint, answer } = uploadFor(bucket, async (response, received) => {
      for (const key of ['named/by receiver', HASH]) seen.push((await stat(bucket, key)).status);
      const body = '{"key":"named/by receiver","payload":{"id":12345678901234567890,"ok":true}}';
      reply(200, body)(response, received);
    });
    const { status } = await answer;
    expect([status, await (await answer).text()]).toEqual([200, '{"id":12345678901234567890,"ok":true}']);
    expect(seen, 'the object is not there while the receiver thinks').toEqual([612, 612]);
    expect(endpoint.only.text).toBe(`key=${HASH}&hash=${HASH}`);
    await expectContent(bucket, 'named/by receiver', 'hello world');
    await expectNothing(bucket, HASH);
    expect(await region.database.deliveriesOf(`${bucket}:${HASH}`)).toMatchObject([
      { state: 'delivered', attempts: [{ status: 200 }] },
    ]);
  });

  test('without a payload answers an empty object [callback-rule-03]', async () => {
    const bucket = await newBucket();
    const { answer } = uploadFor(bucket, json({ key: 'k' }));
    expect([(await answer).status, await (await answer).json()]).toEqual([200, {}]);
    await expectContent(bucket, 'k', 'hello world');
  });

  test.each([
    ['an error', json({ error: 'full' }, 500), 500, 'full'],
    ['HTML', reply(200, '<html>', 'text/html'), 200, 'unexpected response'],
    ['no key', json({ payload: {} }), 200, 'the callback’s answer has no key'],
    ['null', json(null), 200, 'the callback’s answer has no key'],
    ['a list', json(['key']), 200, 'the callback’s answer has no key'],
    ['a number as the key', json({ key: 5 }), 200, 'the callback’s answer has no key'],
    ['a key with NUL', json({ key: 'a\0b' }), 200, 'the callback’s answer has no key'],
    ['a key of 751 bytes', json({ key: 'k'.repeat(751) }), 200, 'the callback’s answer has no key'],
    ['half a character as the key', reply(200, '{"key":"\\ud800"}'), 200, 'the callback’s answer has no key'],
    ['a reset', reset, 0, 'the connection was lost before an answer came'],
  ])('and %s stores nothing: 579 [callback-rule-04]', async (_, script, code, error) => {
    const bucket = await newBucket();
    const { answer } = uploadFor(bucket, script);
    expect(await failureOf(await answer)).toMatchObject({ err_code: code, error, hash: HASH });
    await expectNothing(bucket, HASH);
    await expectNothing(bucket, 'k');
  });

  test('holds the named key to the scope, and to what is there [callback-rule-03]', async () => {
    const bucket = await newBucket();
    const outside = uploadFor(bucket, json({ key: 'other' }), { scope: `${bucket}:in/`, isPrefixalScope: 1 });
    await expectRefusal(await outside.answer, 403, "key doesn't match with scope");
    await expectNothing(bucket, 'other');
    await upload({ scope: bucket }, 'something else', { key: 'taken' });
    const taken = uploadFor(bucket, json({ key: 'taken' }));
    await expectRefusal(await taken.answer, 614, 'file exists');
    await expectContent(bucket, 'taken', 'something else');
    const inside = uploadFor(bucket, json({ key: 'in/side' }), {
      scope: `${bucket}:in/`,
      isPrefixalScope: 1,
    });
    expect((await inside.answer).status).toBe(200);
    await expectContent(bucket, 'in/side', 'hello world');
  });

  test('names the URL that answered, where it was not the first [callback-rule-04]', async () => {
    const bucket = await newBucket();
    const [first, second] = [receiver.at(json({}, 500)), receiver.at(json({ no: 'key' }))];
    const policy = { scope: bucket, callbackUrl: `${first.url};${second.url}`, callbackFetchKey: 1 };
    const answer = await upload(policy, 'hello world');
    expect(await failureOf(answer)).toMatchObject({ callback_url: second.url, err_code: 200 });
    await expectNothing(bucket, HASH);
  });

  test('without callbackUrl is a policy that answers 400 [callback-rule-03]', async () => {
    const bucket = await newBucket();
    const policy = { scope: bucket, callbackFetchKey: 1 };
    await expectRefusal(await upload(policy, 'x', { key: 'k' }), 400, 'invalid put policy');
  });

  test('and a receiver that hangs stores nothing [callback-rule-04]', async () => {
    const bucket = await newBucket();
    const { answer } = uploadFor(bucket, hang);
    expect(await failureOf(await answer)).toMatchObject({ err_code: 0 });
    await expectNothing(bucket, HASH);
  });
});
