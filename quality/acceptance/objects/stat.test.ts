import { randomBytes } from 'node:crypto';
import { encodeBase64Text, formatEntry } from '@millpond/protocol';
import { signedFetch } from '@millpond/testing';
import { describe, expect, test } from 'vitest';
import { expectContent, expectRefusal, recordOf } from '../support/expectations.ts';
import { newBucket, stat, target, upload } from '../support/target.ts';

const { url, account, stranger } = target;
const callStat = (entry: string, method: 'GET' | 'POST' = 'GET', keys = account) =>
  signedFetch(url, keys, `/stat/${entry}`, { method });

test('one key in two buckets holds two contents [object-01]', async () => {
  const [one, two] = [await newBucket(), await newBucket()];
  await upload({ scope: one }, 'content one', { key: 'k' });
  await upload({ scope: two }, 'content of two', { key: 'k' });
  await expectContent(one, 'k', 'content one');
  await expectContent(two, 'k', 'content of two');
  expect((await recordOf(one, 'k')).fsize).toBe(11);
  expect((await recordOf(two, 'k')).fsize).toBe(14);
});

describe('stat', () => {
  test.each(['GET', 'POST'] as const)(
    '%s answers size, hash, type, class and time of the object [stat-01]',
    async (method) => {
      const bucket = await newBucket();
      await upload({ scope: bucket }, 'hello world', { key: 'a/k.txt' });
      const answer = await callStat(formatEntry(bucket, 'a/k.txt'), method);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toBe('application/json');
      expect(await answer.json()).toEqual({
        fsize: 11,
        hash: 'FiqubDXJT8-0FdvpX0CLnOke6Ebt',
        mimeType: 'text/plain',
        type: 0,
        putTime: expect.any(Number),
      });
    },
  );

  test('putTime is a JSON number of 17 digits, in units of 100 ns [stat-02]', async () => {
    const bucket = await newBucket();
    const before = BigInt(Date.now() - 5000) * 10_000n;
    await upload({ scope: bucket }, 'content', { key: 'k' });
    const after = BigInt(Date.now() + 5000) * 10_000n;
    const text = await (await stat(bucket, 'k')).text();
    const digits = /"putTime":(\d{17})[,}]/.exec(text)?.[1] ?? '';
    expect(BigInt(digits)).toBeGreaterThan(before);
    expect(BigInt(digits)).toBeLessThan(after);
    expect(Number(digits)).toBeGreaterThan(Number.MAX_SAFE_INTEGER);
  });

  test('a missing key answers 612 [stat-03]', async () => {
    const bucket = await newBucket();
    for (const key of ['missing', '', 'a/b'])
      await expectRefusal(await stat(bucket, key), 612, 'no such file or directory');
  });

  test('a bucket alone, and what is no entry, answer 400 [stat-04]', async () => {
    const bucket = await newBucket();
    for (const entry of [formatEntry(bucket), '', '!', `${formatEntry(bucket, 'k')}/more`])
      await expectRefusal(await callStat(entry), 400, 'invalid argument');
    const notUtf8 = Buffer.from(`${bucket}:\xff`, 'latin1').toString('base64url');
    await expectRefusal(await callStat(notUtf8), 400, 'key must be utf8 encoding');
  });

  test("a missing bucket and somebody else's answer alike [stat-05]", async () => {
    const bucket = await newBucket();
    await upload({ scope: bucket }, 'content', { key: 'k' });
    const foreign = await callStat(formatEntry(bucket, 'k'), 'GET', stranger);
    const missing = await callStat(formatEntry(`no-${randomBytes(6).toString('hex')}`, 'k'), 'GET', stranger);
    const empty = await callStat(encodeBase64Text(':k'), 'GET', stranger);
    expect(await foreign.text()).toBe('{"error":"no such bucket"}');
    expect(await missing.text()).toBe('{"error":"no such bucket"}');
    expect([foreign.status, missing.status]).toEqual([631, 631]);
    expect(empty.status).toBe(400);
  });

  test('the second upload to a key gets a greater putTime [stat-06]', async () => {
    const bucket = await newBucket();
    let last = 0n;
    for (let index = 0; index < 5; index++) {
      await upload({ scope: `${bucket}:k` }, `content ${index}`, { key: 'k' });
      const { putTime } = await recordOf(bucket, 'k');
      expect(putTime).toBeGreaterThan(last);
      last = putTime;
    }
  });

  test('uploads to one key at the same moment: each content seen has a putTime of its own, rising [stat-06]', async () => {
    const bucket = await newBucket();
    await upload({ scope: `${bucket}:k` }, 'first', { key: 'k' });
    let racing = true;
    const uploads = Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        upload({ scope: `${bucket}:k` }, `content ${index}`, { key: 'k' }),
      ),
    ).finally(() => {
      racing = false;
    });
    const seen = [await recordOf(bucket, 'k')];
    while (racing) seen.push(await recordOf(bucket, 'k'));
    await uploads;
    seen.push(await recordOf(bucket, 'k'));
    for (const [index, record] of seen.entries()) {
      const earlier = seen[index - 1];
      if (earlier === undefined) continue;
      expect(record.putTime).toBeGreaterThanOrEqual(earlier.putTime);
      expect(record.putTime === earlier.putTime).toBe(record.hash === earlier.hash);
    }
    expect(new Set(seen.map(({ hash }) => hash)).size).toBeGreaterThan(1);
  });
});
