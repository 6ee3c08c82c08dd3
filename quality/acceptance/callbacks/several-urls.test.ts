/** Several URLs in one policy: tried in turn, each once. */
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { expectNothing, expectRefusal } from '../support/expectations.ts';
import { failureOf } from '../support/receivers/callbacks.ts';
import { json, reply, reset, useReceiver } from '../support/receivers/receiver.ts';
import { newBucket, upload } from '../support/target.ts';

const receiver = useReceiver();

describe('several callback URLs', () => {
  test('are tried in turn until one succeeds, each once [callback-rule-05]', async () => {
    const bucket = await newBucket();
    const all = [
      reset,
      reply(200, 'no JSON'),
      json({}, 500),
      json({ by: 'fourth' }),
      json({ by: 'fifth' }),
    ].map((script) => receiver.at(script));
    const policy = {
      scope: bucket,
      callbackUrl: all.map(({ url }) => url).join(';'),
      callbackBody: 'k=$(key)',
    };
    const answer = await upload(policy, 'content', { key: 'k' });
    expect([answer.status, await answer.json()]).toEqual([200, { by: 'fourth' }]);
    expect(all.map(({ requests }) => requests.length)).toEqual([1, 1, 1, 1, 0]);
    expect(new Set(all.flatMap(({ requests }) => requests.map(({ text }) => text)))).toEqual(
      new Set(['k=k']),
    );
  });

  test('that all fail give 579 about the last of them [callback-rule-05]', async () => {
    const bucket = await newBucket();
    const [one, two] = [receiver.at(json({}, 500)), receiver.at(json({ error: 'mine' }, 503))];
    const answer = await upload({ scope: bucket, callbackUrl: `${one.url};${two.url}` }, 'content', {
      key: 'k',
    });
    expect(await failureOf(answer)).toMatchObject({ callback_url: two.url, err_code: 503, error: 'mine' });
    expect([one.requests.length, two.requests.length]).toEqual([1, 1]);
  });

  test('are split only before a scheme [callback-rule-06]', async () => {
    const bucket = await newBucket();
    const path = '/with;semicolons;https/and?a=1;b=http;ftp://x';
    const [one, two] = [receiver.at(json({}, 500), path), receiver.at(json({}))];
    const callbackUrl = `${one.url};${two.url}`;
    expect((await upload({ scope: bucket, callbackUrl }, 'content', { key: 'k' })).status).toBe(200);
    expect(one.only.target).toBe(path);
    expect(two.requests).toHaveLength(1);
  });

  test('are at most five [callback-rule-07]', async () => {
    const bucket = await newBucket();
    const endpoint = receiver.at(json({}));
    const urls = (count: number) => Array.from({ length: count }, () => endpoint.url).join(';');
    const send = (count: number) =>
      upload({ scope: bucket, callbackUrl: urls(count) }, 'content', { key: 'k' });
    await expectRefusal(await send(6), 400, 'invalid put policy');
    expect(endpoint.requests).toEqual([]);
    await expectNothing(bucket, 'k');
    expect((await send(5)).status).toBe(200);
    expect(endpoint.requests).toHaveLength(1);
  });

  test('may hold the SHA-1 of the body, and no other variable [var-rule-10]', async () => {
    const bucket = await newBucket();
    const endpoint = receiver.at(json({}), '/signed');
    const callbackUrl = `${endpoint.url}?sha1=$(bodySha1)&again=$(bodySha1)&key=$(key)`;
    const policy = { scope: bucket, callbackUrl, callbackBody: 'name=$(fname)' };
    expect((await upload(policy, 'content', { key: 'k', fileName: 'a b' })).status).toBe(200);
    const sha1 = createHash('sha1').update('name=a+b').digest('hex');
    expect(endpoint.only.target).toBe(`/signed?sha1=${sha1}&again=${sha1}&key=`);
  });
});
