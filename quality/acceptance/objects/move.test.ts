import { formatEntry } from '@millpond/protocol';
import { describe, expect, test } from 'vitest';
import { expectContent, expectNothing, expectRefusal, recordOf } from '../support/expectations.ts';
import {
  callOperation,
  expectDone,
  expectEntryFaults,
  put,
  relocate,
} from '../support/objects/operations.ts';
import { download, newBucket, stat, upload } from '../support/target.ts';

describe('move', () => {
  test('gives the target the object with all that it has, and the source answers 612 [move-01 headers-05]', async () => {
    const [bucket, other] = [await newBucket(), await newBucket()];
    await upload({ scope: bucket, endUser: 'u', deleteAfterDays: 3 }, 'content', {
      key: 'a',
      mimeType: 'text/x-own',
      fields: { 'x-svc-meta-colour': 'blue', 'x-svc-meta-!Cache-Control': 'max-age=60' },
    });
    let from = { bucket, key: 'a' };
    for (const to of [
      { bucket, key: 'b' },
      { bucket: other, key: 'b' },
      { bucket, key: 'a' },
    ]) {
      const { putTime: sourceTime, ...source } = await recordOf(from.bucket, from.key);
      await expectDone(await relocate('move', from, to));
      await expectNothing(from.bucket, from.key);
      await expectContent(to.bucket, to.key, 'content');
      const { putTime, ...record } = await recordOf(to.bucket, to.key);
      expect(record).toEqual(source);
      expect(putTime).toBeGreaterThan(sourceTime);
      from = to;
    }
    expect(await recordOf(bucket, 'a')).toMatchObject({
      mimeType: 'text/x-own',
      expiration: expect.any(Number),
    });
    const { headers } = await download(bucket, 'a');
    expect([headers.get('x-svc-meta-colour'), headers.get('cache-control')]).toEqual(['blue', 'max-age=60']);
  });

  test.each([undefined, false])(
    'onto an existing key answers 614 and changes neither (force %s) [move-02]',
    async (force) => {
      const bucket = await newBucket();
      await put(bucket, 'a', 'content');
      await put(bucket, 'b', 'content of b');
      const answer = await relocate('move', { bucket, key: 'a' }, { bucket, key: 'b' }, force);
      await expectRefusal(answer, 614, 'file exists');
      await expectContent(bucket, 'a', 'content');
      await expectContent(bucket, 'b', 'content of b');
    },
  );

  test('with force overwrites [move-02]', async () => {
    const bucket = await newBucket();
    await put(bucket, 'a', 'content');
    await put(bucket, 'b', 'content of b');
    const before = await recordOf(bucket, 'b');
    await expectDone(await relocate('move', { bucket, key: 'a' }, { bucket, key: 'b' }, true));
    await expectNothing(bucket, 'a');
    await expectContent(bucket, 'b', 'content');
    expect((await recordOf(bucket, 'b')).putTime).toBeGreaterThan(before.putTime);
  });

  test('onto itself: 614, with force nothing changes, least of all is it lost [move-02]', async () => {
    const bucket = await newBucket();
    const at = { bucket, key: 'a' };
    await expectRefusal(await relocate('move', at, at, true), 612, 'no such file or directory');
    await put(bucket, 'a', 'content');
    const before = await recordOf(bucket, 'a');
    await expectRefusal(await relocate('move', at, at), 614, 'file exists');
    await expectDone(await relocate('move', at, at, true));
    expect(await recordOf(bucket, 'a')).toEqual(before);
    await expectContent(bucket, 'a', 'content');
  });

  test('of a missing source answers 612, of entries that are none 400, of others’ buckets 631 [move-01]', async () => {
    const bucket = await newBucket();
    await put(bucket, 'k', 'content');
    await expectEntryFaults((source) => `/move/${source}/${formatEntry(bucket, 'b')}`, bucket);
    await expectRefusal(
      await callOperation(`/move/${formatEntry(bucket, 'k')}/${formatEntry('no-such-bucket', 'k')}`),
      631,
      'no such bucket',
    );
    await expectContent(bucket, 'k', 'content');
  });

  test.each([
    ['archive unrestored', 2],
    ['deep archive unrestored', 3],
  ])(
    'of a frozen object answers 403 %s, and it stays where it is [move-01 class-05]',
    async (text, fileType) => {
      const bucket = await newBucket();
      await put(bucket, 'a', 'content', { fileType });
      const answer = await relocate('move', { bucket, key: 'a' }, { bucket, key: 'b' });
      await expectRefusal(answer, 403, text);
      expect((await stat(bucket, 'a')).status).toBe(200);
      await expectNothing(bucket, 'b');
    },
  );

  test('exchanging keys by force at the same time never fails, and never loses both [move-02]', async () => {
    const bucket = await newBucket();
    for (let round = 0; round < 5; round++) {
      await put(bucket, 'a', `a of round ${round}`);
      await put(bucket, 'b', `b of round ${round}`);
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, index) =>
          index % 2 === 0
            ? relocate('move', { bucket, key: 'a' }, { bucket, key: 'b' }, true)
            : relocate('move', { bucket, key: 'b' }, { bucket, key: 'a' }, true),
        ),
      );
      for (const { status } of answers) expect([200, 612]).toContain(status);
      const left = (await Promise.all(['a', 'b'].map((key) => download(bucket, key)))).filter(({ ok }) => ok);
      expect(left).toHaveLength(1);
      expect(await left[0]?.text()).toMatch(new RegExp(`^[ab] of round ${round}$`));
    }
  });

  test('a reader sees the object under one of its keys, or the other, at every moment [move-01]', async () => {
    const bucket = await newBucket();
    await put(bucket, 'a', 'content');
    let moving = true;
    const moves = (async () => {
      for (let index = 0; index < 20; index++) {
        const [from, to] = index % 2 === 0 ? ['a', 'b'] : ['b', 'a'];
        expect((await relocate('move', { bucket, key: from ?? '' }, { bucket, key: to ?? '' })).status).toBe(
          200,
        );
      }
    })().finally(() => {
      moving = false;
    });
    const seen: number[] = [];
    while (moving) {
      const answer = await callOperation(`/list?bucket=${bucket}`);
      seen.push(((await answer.json()) as { items: unknown[] }).items.length);
    }
    await moves;
    expect(new Set(seen)).toEqual(new Set([1]));
  });
});
