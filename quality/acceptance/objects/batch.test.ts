import { formatEntry } from '@millpond/protocol';
import { signedFetch } from '@millpond/testing';
import { describe, expect, test } from 'vitest';
import { expectContent, expectNothing, expectRefusal, recordOf } from '../support/expectations.ts';
import { put, relocate } from '../support/objects/operations.ts';
import { newKey, useRegion } from '../support/receivers/callbacks.ts';
import { newBucket, target } from '../support/target.ts';

const { url, account, stranger } = target;
const region = useRegion();

interface Result {
  readonly code: number;
  readonly data?: Record<string, unknown>;
}

const send = (body: string, keys = account) => signedFetch(url, keys, '/batch', { body });
const batch = (operations: readonly string[], keys = account) =>
  send(operations.map((operation) => `op=${encodeURIComponent(operation)}`).join('&'), keys);

async function results(answer: Response, status: number): Promise<Result[]> {
  const text = await answer.text();
  expect(answer.status, text).toBe(status);
  expect(answer.headers.get('content-type')).toBe('application/json');
  return JSON.parse(text) as Result[];
}

describe('batch', () => {
  test('answers an array of code and data, in the order sent [batch-01]', async () => {
    const bucket = await newBucket();
    await put(bucket, 'a', 'content');
    await put(bucket, 'b', 'other content');
    const operations = ['b', 'a', 'b'].map((key) => `/stat/${formatEntry(bucket, key)}`);
    const [first, second, third] = await results(await batch(operations), 200);
    const single = async (key: string) =>
      (await signedFetch(url, account, `/stat/${formatEntry(bucket, key)}`)).json();
    expect(first).toEqual({ code: 200, data: await single('b') });
    expect(second).toEqual({ code: 200, data: await single('a') });
    expect(third).toEqual(first);
  });

  test('carries every operation out, each as its own call would, one after the other [batch-01]', async () => {
    const bucket = await newBucket();
    await put(bucket, 'a', 'content');
    const at = (key: string) => formatEntry(bucket, key);
    const answers = await results(
      await batch([
        `/copy/${at('a')}/${at('b')}`,
        `/move/${at('b')}/${at('c')}`,
        `/chstatus/${at('c')}/status/1`,
        `/deleteAfterDays/${at('c')}/5`,
        `/lifecycle/${at('c')}/toIAAfterDays/3`,
        `/stat/${at('c')}`,
        `/delete/${at('a')}`,
      ]),
      200,
    );
    expect(answers.map(({ code, data }) => [code, data !== undefined])).toEqual([
      ...Array.from({ length: 5 }, () => [200, false]),
      [200, true],
      [200, false],
    ]);
    expect(answers[5]?.data).toMatchObject({
      status: 1,
      expiration: expect.any(Number),
      transitionToIA: expect.any(Number),
    });
    await expectNothing(bucket, 'a');
    await expectNothing(bucket, 'b');
  });

  test('of which one operation fails answers 298, its code and error in its place [batch-02]', async () => {
    const bucket = await newBucket();
    await put(bucket, 'a', 'content');
    await put(bucket, 'b', 'content of b');
    const at = (key: string) => formatEntry(bucket, key);
    const answers = await results(
      await batch([
        `/stat/${at('a')}`,
        `/stat/${at('missing')}`,
        `/stat/!`,
        `/stat/${formatEntry('no-such-bucket', 'a')}`,
        `/copy/${at('a')}/${at('b')}`,
        `/nothing/${at('a')}`,
        `/batch`,
        '',
        `/delete/${at('a')}`,
      ]),
      298,
    );
    expect(answers.map(({ code, data }) => [code, data?.error])).toEqual([
      [200, undefined],
      [612, 'no such file or directory'],
      [400, 'invalid argument'],
      [631, 'no such bucket'],
      [614, 'file exists'],
      [400, 'invalid argument'],
      [400, 'invalid argument'],
      [400, 'invalid argument'],
      [200, undefined],
    ]);
    await expectNothing(bucket, 'a');
    await expectContent(bucket, 'b', 'content of b');
  });

  test('of which all fail answers 298, too [batch-02]', async () => {
    const bucket = await newBucket();
    const answers = await results(await batch([`/delete/${formatEntry(bucket, 'k')}`]), 298);
    expect(answers).toEqual([{ code: 612, data: { error: 'no such file or directory' } }]);
  });

  test('of 1,000 stats is answered whole, of 1,001 refused with 400 [batch-03]', async () => {
    const bucket = await newBucket();
    await put(bucket, 'k', 'content');
    const operations = Array.from(
      { length: 1000 },
      (_, index) => `/stat/${formatEntry(bucket, index % 10 === 0 ? 'k' : `missing ${index}`)}`,
    );
    const answers = await results(await batch(operations), 298);
    expect(answers).toHaveLength(1000);
    for (const [index, { code }] of answers.entries()) expect(code).toBe(index % 10 === 0 ? 200 : 612);
    await expectRefusal(await batch([...operations, '/stat/x']), 400, 'invalid argument');
  });

  test('of 1,000 deletes that name each key twice removes each once [batch-03]', async () => {
    const [bucket, key] = [await newBucket(), newKey()];
    await put(bucket, key, 'content');
    const keys = Array.from({ length: 501 }, (_, index) => `copy ${index}`);
    await region.database.addCopies(key, keys);
    const twice = [...keys.slice(0, 500), ...keys.slice(0, 500)];
    const answers = await results(
      await batch(twice.map((name) => `/delete/${formatEntry(bucket, name)}`)),
      298,
    );
    expect(answers.map(({ code }) => code)).toEqual([...Array(500).fill(200), ...Array(500).fill(612)]);
    await expectNothing(bucket, 'copy 0');
    await expectContent(bucket, 'copy 500', 'content');
  });

  test('takes operations with and without a leading slash, escaped or not [batch-04]', async () => {
    const bucket = await newBucket();
    await put(bucket, 'k', 'content');
    const entry = formatEntry(bucket, 'k');
    const body = `op=/stat/${entry}&op=stat/${entry}&op=%2Fstat%2F${encodeURIComponent(entry)}&op=stat%2F${entry}`;
    const answers = await results(await send(body), 200);
    expect(answers.map(({ data }) => data?.fsize)).toEqual([7, 7, 7, 7]);
  });

  test.each(['', 'x=1', 'ops=/stat/x'])('without operations (%j) answers 400 [batch-01]', async (body) => {
    await expectRefusal(await send(body), 400, 'invalid argument');
  });

  test('with a wrong signature answers 401 as a whole and does nothing [batch-01]', async () => {
    const bucket = await newBucket();
    await put(bucket, 'k', 'content');
    const answer = await batch([`/delete/${formatEntry(bucket, 'k')}`], { ...account, secretKey: 'wrong' });
    await expectRefusal(answer, 401, 'bad token');
    await expectContent(bucket, 'k', 'content');
  });

  test('of somebody else answers for each like for a bucket that is not there [batch-02 G47]', async () => {
    const bucket = await newBucket();
    await put(bucket, 'k', 'content');
    const operations = (name: string) => [
      `/stat/${formatEntry(name, 'k')}`,
      `/stat/${formatEntry(name, 'missing')}`,
      `/delete/${formatEntry(name, 'k')}`,
      `/copy/${formatEntry(name, 'k')}/${formatEntry(name, 'l')}`,
    ];
    const foreign = await (await batch(operations(bucket), stranger)).text();
    const missing = await (await batch(operations('no-such-bucket'), stranger)).text();
    expect(foreign).toBe(missing);
    expect(JSON.parse(foreign)).toHaveLength(4);
    await expectContent(bucket, 'k', 'content');
  });

  test('batches that delete the same keys in opposite order at once both end, and each key goes once [batch-01]', async () => {
    const bucket = await newBucket();
    await put(bucket, 'k', 'content');
    const keys = Array.from({ length: 60 }, (_, index) => `k ${index}`);
    for (const key of keys) await relocate('copy', { bucket, key: 'k' }, { bucket, key });
    const deletes = keys.map((key) => `/delete/${formatEntry(bucket, key)}`);
    const both = await Promise.all([batch(deletes), batch(deletes.toReversed())]);
    const codes = (await Promise.all(both.map((answer) => answer.json()))) as Result[][];
    const done = codes.flat().filter(({ code }) => code === 200);
    expect(done).toHaveLength(60);
    expect(codes.flat().every(({ code }) => code === 200 || code === 612)).toBe(true);
  });
});

test('stat in a batch shows putTime to the last digit [batch-01 stat-02]', async () => {
  const bucket = await newBucket();
  await put(bucket, 'k', 'content');
  const { putTime } = await recordOf(bucket, 'k');
  const text = await (await batch(Array(2).fill(`/stat/${formatEntry(bucket, 'k')}`))).text();
  expect(text.match(/"putTime":\d+/g)).toEqual(Array(2).fill(`"putTime":${putTime}`));
});
