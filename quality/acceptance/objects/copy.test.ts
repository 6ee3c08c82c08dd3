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
import { download, newBucket, stat, target, upload } from '../support/target.ts';

describe('copy', () => {
  test('makes a second object with the same bytes, hash, type, metadata and response headers; the source stays [copy-01 headers-05]', async () => {
    const [bucket, other] = [await newBucket(), await newBucket()];
    await upload({ scope: bucket, endUser: 'u' }, 'content', {
      key: 'a/källa',
      mimeType: 'text/x-own',
      fields: { 'x-svc-meta-colour': 'blue', 'x-svc-meta-!Cache-Control': 'max-age=60' },
    });
    const from = { bucket, key: 'a/källa' };
    for (const to of [
      { bucket, key: 'second' },
      { bucket: other, key: 'a/källa' },
      { bucket: other, key: '' },
    ]) {
      await expectDone(await relocate('copy', from, to));
      await expectContent(to.bucket, to.key, 'content');
      const { putTime: sourceTime, ...source } = await recordOf(bucket, 'a/källa');
      const { putTime, ...record } = await recordOf(to.bucket, to.key);
      expect(record).toEqual(source);
      expect(record).toMatchObject({
        mimeType: 'text/x-own',
        'x-svc-meta': { colour: 'blue' },
        responseHeaders: { 'Cache-Control': 'max-age=60' },
        endUser: 'u',
      });
      expect(putTime).toBeGreaterThan(sourceTime);
    }
    const { headers } = await download(bucket, 'second');
    expect([headers.get('x-svc-meta-colour'), headers.get('cache-control')]).toEqual(['blue', 'max-age=60']);
  });

  test('and its source go their own ways: overwriting or deleting one leaves the other [copy-01]', async () => {
    const bucket = await newBucket();
    await put(bucket, 'a', 'content');
    await relocate('copy', { bucket, key: 'a' }, { bucket, key: 'b' });
    await relocate('copy', { bucket, key: 'a' }, { bucket, key: 'c' });
    await put(bucket, 'a', 'new content');
    await expectContent(bucket, 'b', 'content');
    await callOperation(`/delete/${formatEntry(bucket, 'b')}`);
    await expectContent(bucket, 'a', 'new content');
    await expectContent(bucket, 'c', 'content');
  });

  test('begins without its source’s day of removal [copy-01]', async () => {
    const bucket = await newBucket();
    await put(bucket, 'a', 'content', { deleteAfterDays: 3 });
    await relocate('copy', { bucket, key: 'a' }, { bucket, key: 'b' });
    expect(await recordOf(bucket, 'a')).toHaveProperty('expiration');
    expect(await recordOf(bucket, 'b')).not.toHaveProperty('expiration');
  });

  test.each([undefined, false])(
    'onto an existing key answers 614 and changes nothing (force %s) [copy-02]',
    async (force) => {
      const bucket = await newBucket();
      await put(bucket, 'a', 'content');
      await put(bucket, 'b', 'content of b');
      await expectRefusal(
        await relocate('copy', { bucket, key: 'a' }, { bucket, key: 'b' }, force),
        614,
        'file exists',
      );
      await expectContent(bucket, 'b', 'content of b');
    },
  );

  test('with force overwrites, and the key gets a greater putTime [copy-02]', async () => {
    const bucket = await newBucket();
    await put(bucket, 'a', 'content');
    await put(bucket, 'b', 'content of b', { deleteAfterDays: 3 });
    const before = await recordOf(bucket, 'b');
    await expectDone(await relocate('copy', { bucket, key: 'a' }, { bucket, key: 'b' }, true));
    const after = await recordOf(bucket, 'b');
    expect(after.putTime).toBeGreaterThan(before.putTime);
    expect(after).not.toHaveProperty('expiration');
    await expectContent(bucket, 'a', 'content');
    await expectContent(bucket, 'b', 'content');
  });

  test.each([undefined, true])(
    'of a missing source answers 612 and leaves the target (force %s) [copy-02]',
    async (force) => {
      const bucket = await newBucket();
      await put(bucket, 'b', 'content of b');
      const answer = await relocate('copy', { bucket, key: 'a' }, { bucket, key: 'b' }, force);
      await expectRefusal(answer, 612, 'no such file or directory');
      await expectContent(bucket, 'b', 'content of b');
    },
  );

  test('onto itself: 614, with force nothing changes [copy-02]', async () => {
    const bucket = await newBucket();
    const at = { bucket, key: 'a' };
    await expectRefusal(await relocate('copy', at, at, true), 612, 'no such file or directory');
    await put(bucket, 'a', 'content');
    const before = await recordOf(bucket, 'a');
    await expectRefusal(await relocate('copy', at, at), 614, 'file exists');
    await expectDone(await relocate('copy', at, at, true));
    expect(await recordOf(bucket, 'a')).toEqual(before);
  });

  test.each([
    ['archive unrestored', 2],
    ['deep archive unrestored', 3],
  ])('of a frozen object answers 403 %s [copy-02 class-05]', async (text, fileType) => {
    const bucket = await newBucket();
    await put(bucket, 'a', 'content', { fileType });
    for (const force of [false, true])
      await expectRefusal(
        await relocate('copy', { bucket, key: 'a' }, { bucket, key: 'b' }, force),
        403,
        text,
      );
    await expectNothing(bucket, 'b');
  });

  test('takes entries of the account’s own buckets only, and says nothing of others [copy-02]', async () => {
    const bucket = await newBucket();
    await put(bucket, 'k', 'content');
    const entry = formatEntry(bucket, 'k');
    await expectEntryFaults((source) => `/copy/${source}/${formatEntry(bucket, 'b')}`, bucket);
    const toNowhere = await callOperation(`/copy/${entry}/${formatEntry('no-such-bucket', 'k')}`);
    await expectRefusal(toNowhere, 631, 'no such bucket');
    const toForeign = await callOperation(`/copy/${entry}/${entry}`, target.stranger);
    await expectRefusal(toForeign, 631, 'no such bucket');
  });

  test.each(['', '/force', '/force/yes', '/force/true/more', '/force/true/force/true', '/x/true'])(
    'a path that goes on with %j after the source answers 400 [copy-02]',
    async (rest) => {
      const bucket = await newBucket();
      await put(bucket, 'a', 'content');
      const source = formatEntry(bucket, 'a');
      const path = rest === '' ? `/copy/${source}` : `/copy/${source}/${formatEntry(bucket, 'b')}${rest}`;
      await expectRefusal(await callOperation(path), 400, 'invalid argument');
      expect((await stat(bucket, 'b')).status).toBe(612);
    },
  );

  test('copies of different objects race to one key: exactly one is there, whole [copy-02]', async () => {
    const bucket = await newBucket();
    const names = Array.from({ length: 6 }, (_, index) => `source ${index}`);
    await Promise.all(names.map((key) => put(bucket, key, `content of ${key}`)));
    const answers = await Promise.all(
      names.map((key) => relocate('copy', { bucket, key }, { bucket, key: 'target' })),
    );
    const winners = names.filter((_, index) => answers[index]?.status === 200);
    expect(winners).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 614)).toHaveLength(5);
    await expectContent(bucket, 'target', `content of ${winners[0]}`);
  });
});
