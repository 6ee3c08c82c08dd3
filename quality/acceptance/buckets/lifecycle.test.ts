/** Lifecycle rules: how they are kept, and what their job does to objects of the age. */
import { openRegionDatabase, type RegionDatabase } from '@millpond/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectContent, expectRefusal, recordOf } from '../support/expectations.ts';
import { bucketCall, bucketDo, bucketJson, form } from '../support/objects/buckets.ts';
import { useCommandLine } from '../support/running/cli.ts';
import { sdkClient } from '../support/running/sdk.ts';
import { newBucket, stat, target, upload } from '../support/target.ts';

/** The job comes round every second here; the machine may be slow. */
const SOON = { timeout: 300_000, interval: 200 };

const cli = useCommandLine();
let database: RegionDatabase;
beforeAll(async () => {
  database = await openRegionDatabase(target.environment.MILLPOND_REGION_DB ?? '');
});
afterAll(() => database?.close());

const add = (bucket: string, rule: Record<string, string | number>) =>
  bucketCall('/rules/add', { body: form({ bucket, ...rule }) });
const rulesOf = (bucket: string) =>
  bucketJson<Record<string, unknown>[]>(`/rules/get?bucket=${bucket}`, { method: 'GET' });

const NO_DAYS = {
  to_line_after_days: 0,
  to_archive_after_days: 0,
  to_deep_archive_after_days: 0,
  delete_after_days: 0,
};

describe('the rules of a bucket', () => {
  test('are added, shown, updated and deleted [bucket-12]', async () => {
    const bucket = await newBucket();
    expect(await rulesOf(bucket)).toEqual([]);
    await bucketDo('/rules/add', { body: form({ bucket, name: 'r1', prefix: 'a/', delete_after_days: 7 }) });
    await bucketDo('/rules/add', {
      body: form({
        bucket,
        name: 'r2',
        to_ia_after_days: 1,
        to_archive_after_days: 2,
        to_deep_archive_after_days: 3,
      }),
    });
    expect(await rulesOf(bucket)).toEqual([
      { ...NO_DAYS, name: 'r1', prefix: 'a/', delete_after_days: 7, ctime: expect.any(String) },
      {
        ...NO_DAYS,
        name: 'r2',
        prefix: '',
        to_line_after_days: 1,
        to_archive_after_days: 2,
        to_deep_archive_after_days: 3,
        ctime: expect.any(String),
      },
    ]);
    await bucketDo('/rules/update', { body: form({ bucket, name: 'r1', prefix: 'b/' }) });
    expect((await rulesOf(bucket))[0]).toMatchObject({ name: 'r1', prefix: 'b/', delete_after_days: 7 });
    await bucketDo('/rules/delete', { body: form({ bucket, name: 'r1' }) });
    expect((await rulesOf(bucket)).map(({ name }) => name)).toEqual(['r2']);
  });

  test('have names and prefixes of their own [bucket-12]', async () => {
    const bucket = await newBucket();
    expect((await add(bucket, { name: 'one', prefix: 'a', delete_after_days: 1 })).status).toBe(200);
    expect((await add(bucket, { name: 'two', prefix: 'b', delete_after_days: 1 })).status).toBe(200);
    for (const rule of [
      { name: 'one', prefix: 'c', delete_after_days: 1 },
      { name: 'three', prefix: 'a', delete_after_days: 1 },
    ])
      await expectRefusal(await add(bucket, rule), 614, 'the rule exists');
    const move = { body: form({ bucket, name: 'two', prefix: 'a' }) };
    await expectRefusal(await bucketCall('/rules/update', move), 614, 'the rule exists');
    for (const call of ['update', 'delete']) {
      const body = form({ bucket, name: 'none', delete_after_days: 1 });
      await expectRefusal(await bucketCall(`/rules/${call}`, { body }), 612, 'no such rule');
    }
    expect((await rulesOf(bucket)).map(({ name, prefix }) => [name, prefix])).toEqual([
      ['one', 'a'],
      ['two', 'b'],
    ]);
  });

  test.each<Record<string, string | number>>([
    { name: '', delete_after_days: 1 },
    { name: 'a b', delete_after_days: 1 },
    { name: 'n'.repeat(50), delete_after_days: 1 },
    { name: 'r' },
    { name: 'r', delete_after_days: 0 },
    { name: 'r', delete_after_days: -1 },
    { name: 'r', delete_after_days: '1.5' },
    { name: 'r', delete_after_days: 36_501 },
    { name: 'r', to_archive_ir_after_days: 1, delete_after_days: 9 },
    { name: 'r', history_delete_after_days: 1, delete_after_days: 9 },
    { name: 'r', to_line_after_days: 5, to_archive_after_days: 5 },
    { name: 'r', to_line_after_days: 5, delete_after_days: 4 },
    { name: 'r', prefix: 'p'.repeat(751), delete_after_days: 1 },
    { name: 'r', prefix: 'a\0', delete_after_days: 1 },
  ])('%j answers 400 and is not kept [bucket-12]', async (rule) => {
    const bucket = await newBucket();
    await expectRefusal(await add(bucket, rule), 400, 'invalid argument');
    expect(await rulesOf(bucket)).toEqual([]);
  });
});

/** Objects are found by their keys alone when they are aged, so keys name their bucket. */
async function put(bucket: string, name: string, days: number): Promise<string> {
  const key = `${name}-${bucket}`;
  expect((await upload({ scope: bucket }, name, { key })).status).toBe(200);
  await database.age(key, days);
  return key;
}

const isGone = (bucket: string, key: string) => async () => (await stat(bucket, key)).status;

describe('the job', () => {
  test('removes what has the age, by the longest prefix, and nothing else [bucket-12]', async () => {
    const bucket = await newBucket();
    const [old, young, kept, other] = [
      await put(bucket, 'logs/old', 8),
      await put(bucket, 'logs/young', 6),
      await put(bucket, 'logs/keep/old', 8),
      await put(bucket, 'other/old', 400),
    ];
    // The longer one first: the job may run between the two.
    expect((await add(bucket, { name: 'keep', prefix: 'logs/keep/', delete_after_days: 9 })).status).toBe(
      200,
    );
    expect((await add(bucket, { name: 'logs', prefix: 'logs/', delete_after_days: 7 })).status).toBe(200);
    await expect.poll(isGone(bucket, old), SOON).toBe(612);
    await expectContent(bucket, young, 'logs/young');
    await expectContent(bucket, kept, 'logs/keep/old');
    await expectContent(bucket, other, 'other/old');
  });

  test('moves what has the age to the class of its age, and never back [bucket-12]', async () => {
    const bucket = await newBucket();
    const [line, archive, deep, young] = [
      await put(bucket, 'line', 2),
      await put(bucket, 'archive', 5),
      await put(bucket, 'deep', 50),
      await put(bucket, 'young', 0),
    ];
    const rule = {
      name: 'cool',
      to_line_after_days: 1,
      to_archive_after_days: 4,
      to_deep_archive_after_days: 40,
    };
    expect((await add(bucket, rule)).status).toBe(200);
    const classes = () =>
      Promise.all([line, archive, deep, young].map(async (key) => (await recordOf(bucket, key)).type));
    await expect.poll(classes, SOON).toEqual([1, 2, 3, 0]);
    expect((await recordOf(bucket, line)).putTime).toBeGreaterThan(0n);
    await expectContent(bucket, line, 'line');
  });

  test('leaves an object alone that was written again [bucket-12]', async () => {
    const bucket = await newBucket();
    const [again, gone] = [await put(bucket, 'again', 30), await put(bucket, 'gone', 30)];
    expect((await upload({ scope: `${bucket}:${again}` }, 'new', { key: again })).status).toBe(200);
    expect((await add(bucket, { name: 'r', delete_after_days: 1 })).status).toBe(200);
    await expect.poll(isGone(bucket, gone), SOON).toBe(612);
    await expectContent(bucket, again, 'new');
  });
});

test('a rule is tried without being set: what it would do now, beside the others [preview-01]', async () => {
  const bucket = await newBucket();
  const keys = { old: `old-${bucket}`, kept: `old-${bucket}/kept`, young: `young-${bucket}` };
  for (const key of Object.values(keys)) await upload({ scope: bucket }, 'content', { key });
  for (const key of [keys.old, keys.kept]) await database.age(key, 30);
  await bucketDo('/rules/add', {
    body: form({ bucket, name: 'longer', prefix: `${keys.old}/`, delete_after_days: 99 }),
  });
  const { buckets } = sdkClient();
  const none = { objects: 0, bytes: 0 };
  const would = { delete: none, class1: none, class2: none, class3: none };
  const rule = { prefix: '', to_line_after_days: 7, delete_after_days: 60 };
  expect(await buckets.previewLifecycle(bucket, rule)).toEqual({
    read: 3,
    isWhole: true,
    would: { ...would, class1: { objects: 1, bytes: 7 } },
    examples: [{ key: keys.old, act: 'class1' }],
  });
  // In place of the one that has its prefix.
  const instead = { name: 'other', prefix: `${keys.old}/`, delete_after_days: 7 };
  expect(await buckets.previewLifecycle(bucket, instead)).toEqual({
    read: 1,
    isWhole: true,
    would: { ...would, delete: { objects: 1, bytes: 7 } },
    examples: [{ key: keys.kept, act: 'delete' }],
  });
  expect((await rulesOf(bucket)).map(({ name }) => name)).toEqual(['longer']);
  expect((await recordOf(bucket, keys.old)).type).toBe(0);
  await expect(buckets.previewLifecycle(bucket, { prefix: '' })).rejects.toMatchObject({ status: 400 });
  const shown = await cli.run(
    ['bucket', 'lifecycle', `:${bucket}`, '--preview', '-'],
    JSON.stringify([rule]),
  );
  expect(shown.stdout).toMatch(/^RULE +ACT +OBJECTS +BYTES +READ\n(?:.*\n)* +class1 +1 +7 +3\n/);
});
