import { randomUUID } from 'node:crypto';
import { formatEntry } from '@millpond/protocol';
import { finishCommand } from '@millpond/testing';
import { describe, expect, test } from 'vitest';
import { operate } from '../support/accounts/operator.ts';
import { expectContent, expectNothing, recordOf } from '../support/expectations.ts';
import { callOperation, put, relocate } from '../support/objects/operations.ts';
import { newKey, useRegion } from '../support/receivers/callbacks.ts';
import { download, newBucket, target, upload } from '../support/target.ts';

const region = useRegion();
const remove = (bucket: string, key: string) => callOperation(`/delete/${formatEntry(bucket, key)}`);
const undelete = (...args: string[]) => operate(['undelete', ...args, '--json']);
const refused = (...args: string[]) => finishCommand(target.environment, ['undelete', ...args]);

async function deletedIn(bucket: string, ...args: string[]): Promise<Record<string, unknown>[]> {
  const text = await undelete(bucket, '--list', ...args);
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

// Each command is a process of its own, which takes seconds on a machine under load.
describe('millpond undelete', () => {
  test('brings back what was deleted, with bytes, metadata and response headers [undelete-01 headers-05]', async () => {
    const bucket = await newBucket();
    await upload({ scope: bucket, endUser: 'u' }, 'content', {
      key: 'a/ü',
      mimeType: 'text/x-own',
      fields: { 'x-svc-meta-colour': 'blue', 'x-svc-meta-!Cache-Control': 'max-age=60' },
    });
    const { putTime: before, ...record } = await recordOf(bucket, 'a/ü');
    await remove(bucket, 'a/ü');
    await expectNothing(bucket, 'a/ü');
    await undelete(bucket, 'a/ü');
    const { putTime, ...back } = await recordOf(bucket, 'a/ü');
    expect(back).toEqual(record);
    // It is a new version of its key, for caches and conditions.
    expect(putTime).toBeGreaterThan(before);
    await expectContent(bucket, 'a/ü', 'content');
    const { headers } = await download(bucket, 'a/ü');
    expect([headers.get('x-svc-meta-colour'), headers.get('cache-control')]).toEqual(['blue', 'max-age=60']);
    expect(await deletedIn(bucket)).toEqual([]);
  });

  test('brings back what was overwritten, by force or under another key [undelete-01 G37]', async () => {
    const bucket = await newBucket();
    await put(bucket, 'k', 'first');
    await put(bucket, 'k', 'second');
    const conflict = await refused(bucket, 'k');
    expect([conflict.code, conflict.stderr]).toEqual([6, expect.stringMatching(/file exists: k exists/)]);
    await expectContent(bucket, 'k', 'second');
    await undelete(bucket, 'k', '--to', 'before');
    await expectContent(bucket, 'before', 'first');
    await put(bucket, 'k', 'third');
    await undelete(bucket, 'k', '--force');
    await expectContent(bucket, 'k', 'second');
    // What was replaced by it can be brought back in turn.
    await undelete(bucket, 'k', '--force');
    await expectContent(bucket, 'k', 'third');
  });

  test('brings back what a forced copy or move replaced [undelete-01]', async () => {
    const bucket = await newBucket();
    for (const kind of ['copy', 'move'] as const) {
      await put(bucket, `${kind} source`, 'new');
      await put(bucket, kind, 'old');
      await relocate(kind, { bucket, key: `${kind} source` }, { bucket, key: kind }, true);
      await undelete(bucket, kind, '--force');
      await expectContent(bucket, kind, 'old');
    }
    // A move deletes nothing: its source is not among what can be brought back.
    expect(await deletedIn(bucket, '--prefix', 'move source')).toEqual([]);
  });

  test('brings back what the key had at a time [undelete-01]', async () => {
    const bucket = await newBucket();
    const times: Date[] = [];
    for (const content of ['first', 'second', 'third']) {
      await put(bucket, 'k', content);
      times.push(await clockAfter(bucket));
    }
    await remove(bucket, 'k');
    await undelete(bucket, 'k', '--as-of', times[0]?.toISOString() ?? '');
    await expectContent(bucket, 'k', 'first');
    await undelete(bucket, 'k', '--as-of', times[1]?.toISOString() ?? '', '--force');
    await expectContent(bucket, 'k', 'second');
    const before = await refused(bucket, 'k', '--as-of', '2020-01-01T00:00:00Z');
    expect([before.code, before.stderr]).toEqual([3, expect.stringMatching(/no version of that time/)]);
  });

  test('lists what can be brought back, by key, the latest first [undelete-01]', async () => {
    const bucket = await newBucket();
    await put(bucket, 'b/2', 'first');
    await put(bucket, 'b/2', 'second');
    const between = await clockAfter(bucket);
    await put(bucket, 'a', 'content');
    for (const key of ['b/2', 'a']) await remove(bucket, key);
    const all = await deletedIn(bucket);
    expect(all.map(({ key, reason, fsize }) => [key, reason, fsize])).toEqual([
      ['a', 'deleted', 7],
      ['b/2', 'deleted', 6],
      ['b/2', 'replaced', 5],
    ]);
    expect(all[0]).toMatchObject({ hash: expect.stringMatching(/^F/), trashed_at: expect.any(String) });
    expect(await deletedIn(bucket, '--prefix', 'b/')).toEqual(all.slice(1));
    expect(await deletedIn(bucket, '--since', between.toISOString())).toEqual(all.slice(0, 2));
    expect(await deletedIn(bucket, '--before', between.toISOString())).toEqual(all.slice(2));
    expect(await deletedIn(bucket, '--limit', '1')).toEqual(all.slice(0, 1));
    const table = await operate(['undelete', bucket, 'b/2', '--list']);
    expect(table.split('\n')[0]).toMatch(/^KEY\s+REASON\s+TRASHED_AT\s+FSIZE/);
    expect(table).not.toMatch(/^a /m);
  });

  test('brings everything back that is gone, and leaves what is there [undelete-01]', async () => {
    const bucket = await newBucket();
    for (const key of ['x/1', 'x/2', 'x/3', 'y']) await put(bucket, key, `old ${key}`);
    await put(bucket, 'x/1', 'new x/1');
    for (const key of ['x/1', 'x/2', 'x/3', 'y']) await remove(bucket, key);
    await put(bucket, 'x/3', 'there again');
    expect(JSON.parse(await undelete(bucket, '--all', '--prefix', 'x/'))).toEqual({ back: 2, refused: 0 });
    await expectContent(bucket, 'x/1', 'new x/1');
    await expectContent(bucket, 'x/2', 'old x/2');
    await expectContent(bucket, 'x/3', 'there again');
    await expectNothing(bucket, 'y');
    expect(JSON.parse(await undelete(bucket, '--all'))).toEqual({ back: 1, refused: 0 });
    await expectContent(bucket, 'y', 'old y');
  });

  test('an object whose days were over comes back without them [undelete-01]', async () => {
    const [bucket, key] = [await newBucket(), newKey()];
    await put(bucket, key, 'content', { deleteAfterDays: 1 });
    await region.database.passDays(key, 3);
    await expect.poll(async () => (await download(bucket, key)).status, { interval: 250 }).toBe(404);
    await undelete(bucket, key);
    expect(await recordOf(bucket, key)).not.toHaveProperty('expiration');
    await expectContent(bucket, key, 'content');
  });

  test('after the grace period refuses and says why [undelete-02]', async () => {
    const [bucket, key] = [await newBucket(), newKey()];
    await put(bucket, key, 'content');
    await remove(bucket, key);
    expect(await region.database.passTrashDays(key, 8)).toBe(1);
    const late = await refused(bucket, key);
    expect(late.code).toBe(3);
    expect(late.stderr).toMatch(/the 7 days that it is kept are over|gone after the 7 days that it is kept/);
    expect(await deletedIn(bucket)).toEqual([]);
    await expectNothing(bucket, key);
  });

  test('refuses what the collector has begun [undelete-02]', async () => {
    const [bucket, key] = [await newBucket(), newKey()];
    await put(bucket, key, 'content');
    await remove(bucket, key);
    await region.database.beginCollecting(key);
    const { code, stderr } = await refused(bucket, key);
    expect([code, stderr]).toEqual([3, expect.stringMatching(/its bytes are being removed/)]);
    await expectNothing(bucket, key);
  });

  test('refuses what was never there, and wrong usage [undelete-02]', async () => {
    const bucket = await newBucket();
    expect(await refused(bucket, 'k')).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/no version/),
    });
    expect((await refused('no-such-bucket', 'k')).code).toBe(3);
    expect((await refused(bucket)).code).toBe(2);
    expect((await refused(bucket, 'k', '--all')).code).toBe(2);
    expect((await refused(bucket, 'k', '--as-of', 'yesterday')).code).toBe(2);
  });
});

/** A time by the database's clock, after everything so far and before everything later. */
async function clockAfter(bucket: string): Promise<Date> {
  await put(bucket, 'clock', randomUUID());
  const { putTime } = await recordOf(bucket, 'clock');
  await callOperation(`/move/${formatEntry(bucket, 'clock')}/${formatEntry(await newBucket(), 'clock')}`);
  return new Date(Number(putTime / 10_000n) + 1);
}
