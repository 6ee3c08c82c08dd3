import { type CreationCause, objectEvents } from '@millpond/protocol';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { useDatabases } from '../../../test/databases.ts';
import { openDeliveries } from '../../events/deliveries/deliveries.testing.ts';
import type { Bucket } from '../buckets/index.ts';
import {
  ArchiveStore,
  BulkStore,
  EmptyingStore,
  ExpiryStore,
  ObjectStore,
  RelocateStore,
  TransitionStore,
  UndeleteStore,
} from '../objects/objects.testing.ts';
import type { ObjectEvents } from './object-events.service.ts';
import { newBucket, newObject, noted, openObjectEvents, RULE } from './object-events.testing.ts';

const databases = useDatabases();
const ALL = Object.keys(objectEvents);
let service: ObjectEvents;
let store: ObjectStore;
let ids = 100n;

beforeAll(() => {
  const place = openDeliveries(databases);
  service = openObjectEvents(databases, place.deliveries);
  store = new ObjectStore(databases.region);
  return () => place.close();
});

async function told(overrides: object = {}): Promise<Bucket> {
  const bucket = await newBucket(databases, ++ids);
  await service.setRules(bucket, [{ ...RULE, events: ALL, ...overrides }]);
  return bucket;
}

async function put(bucket: Bucket, key: string, { size = 3, way = 'form' as CreationCause, ...more } = {}) {
  const object = { ...newObject(bucket.id, key, size), way, ...more };
  await store.commit(object, 'overwrite');
  return object;
}

async function names(bucket: Bucket): Promise<string[]> {
  return (await noted(databases, bucket.id)).map(({ key, event, way }) => `${event} ${way} ${key}`);
}

const query = (text: string, values: readonly unknown[]) => databases.region.pool.query(text, [...values]);

describe('a change of an object leaves its event', () => {
  test('creating and overwriting, with what was there before', async () => {
    const bucket = await told();
    const first = await put(bucket, 'k');
    const second = await put(bucket, 'k', { size: 9, way: 'parts' });
    const [created, overwritten, ...none] = await noted(databases, bucket.id);
    expect(created).toMatchObject({
      event: 'created',
      way: 'form',
      key: 'k',
      rules: ['all'],
      previous: null,
    });
    expect(created?.object).toMatchObject({
      size: 3,
      hash: first.hash,
      mimeType: 'text/plain',
      storageClass: 0,
    });
    expect(overwritten).toMatchObject({ event: 'overwritten', way: 'parts', previous: created?.object });
    expect(overwritten?.object).toMatchObject({ size: 9, hash: second.hash });
    expect(none).toEqual([]);
  });

  test('an insert-only commit of what exists leaves none, and neither does a refused one', async () => {
    const bucket = await told();
    await put(bucket, 'k');
    await noted(databases, bucket.id);
    await store.commit(newObject(bucket.id, 'k'), 'insert');
    await store.commit({ ...newObject(bucket.id, 'late'), deadline: 1 }, 'insert');
    expect(await names(bucket)).toEqual([]);
  });

  test('deleting one and a thousand', async () => {
    const bucket = await told({ events: ['deleted'] });
    const keys = Array.from({ length: 1000 }, (_, at) => `k/${String(at).padStart(4, '0')}`);
    await Promise.all([...keys, 'one'].map((key) => put(bucket, key)));
    await store.remove(bucket.id, 'one');
    await store.remove(bucket.id, 'missing');
    expect(await names(bucket)).toEqual(['deleted delete one']);
    await new BulkStore(databases.region).remove(keys.map((key) => ({ bucketId: bucket.id, key })));
    expect((await names(bucket)).toSorted()).toEqual(keys.map((key) => `deleted delete ${key}`));
  });

  test('copies and moves, within a bucket and to one without rules', async () => {
    const [bucket, quiet] = [await told(), await newBucket(databases, ++ids)];
    const relocations = new RelocateStore(databases.region);
    const at = (key: string, { id } = bucket) => ({ bucketId: id, key });
    await put(bucket, 'a');
    await noted(databases, bucket.id);
    await relocations.relocate(at('a'), at('b'), { kind: 'copy', force: false });
    await relocations.relocate(at('a'), at('b'), { kind: 'copy', force: false });
    await relocations.relocate(at('a'), at('b'), { kind: 'copy', force: true, way: 'process' });
    expect(await names(bucket)).toEqual(['created copy b', 'overwritten process b']);
    await relocations.relocate(at('a'), at('c'), { kind: 'move', force: false });
    expect((await names(bucket)).toSorted()).toEqual(['created move c', 'deleted move a']);
    await relocations.relocate(at('c'), at('c', quiet), { kind: 'move', force: false });
    expect(await names(bucket)).toEqual(['deleted move c']);
    await relocations.relocate(at('c', quiet), at('d'), { kind: 'move', force: false });
    expect(await names(bucket)).toEqual(['created move d']);
    expect(await names(quiet)).toEqual([]);
  });

  test('expiring, and coming back', async () => {
    const bucket = await told();
    await put(bucket, 'k', { expiresAt: new Date(Date.now() - 1000) } as object);
    await new ExpiryStore(databases.region).removeDue(100);
    expect(await names(bucket)).toEqual(['created form k', 'expired schedule k']);
    const undelete = new UndeleteStore(databases.region);
    const version = await undelete.version(bucket.id, 'k', undefined);
    await undelete.undelete(version?.trash_id ?? 0n, 'k', { force: false, graceMs: 3_600_000 });
    expect(await names(bucket)).toEqual(['created undelete k']);
  });

  test('changing class, by call and by schedule', async () => {
    const bucket = await told();
    await put(bucket, 'k');
    await noted(databases, bucket.id);
    await new ArchiveStore(databases.region).changeClass(bucket.id, 'k', 1, databases.region);
    const [changed] = await noted(databases, bucket.id);
    expect(changed).toMatchObject({ event: 'classChanged', way: 'chtype' });
    expect([changed?.previous?.storageClass, changed?.object.storageClass]).toEqual([0, 1]);
    await query(`UPDATE region.objects SET to_archive_at = now() WHERE bucket_id = $1`, [bucket.id]);
    await new TransitionStore(databases.region).changeDue(100);
    expect(await names(bucket)).toEqual(['classChanged schedule k']);
  });

  test('a restore is told when it is requested, and again when the clock has made it so', async () => {
    const bucket = await told();
    await put(bucket, 'k', { storageClass: 2 } as object);
    await noted(databases, bucket.id);
    const times = { archiveMs: 60_000, deepArchiveMs: 60_000, windowMs: 120_000 };
    const archive = new ArchiveStore(databases.region);
    await archive.restore(bucket.id, 'k', times);
    await archive.restore(bucket.id, 'k', times);
    const rows = await noted(databases, bucket.id);
    expect(rows.map(({ event }) => event)).toEqual(['restoring', 'restored', 'frozen']);
    const [asked, ready, ended] = rows;
    expect(asked?.due_at).toBeNull();
    expect(ready?.due_at?.getTime()).toBe(Date.parse(asked?.object.restoreReady ?? ''));
    expect(ended?.due_at?.getTime()).toBe(Date.parse(asked?.object.restoreEnds ?? ''));
  });

  test('other metadata, moves of bytes and merges of segments leave none', async () => {
    const bucket = await told();
    await put(bucket, 'k');
    await noted(databases, bucket.id);
    await query(
      `UPDATE region.objects SET mime_type = 'text/html', status = 1, cold = true, blob_id = gen_random_uuid()
       WHERE bucket_id = $1`,
      [bucket.id],
    );
    expect(await names(bucket)).toEqual([]);
  });

  test('the end of an account tells nothing: nobody is left to receive it', async () => {
    const bucket = await told();
    await Promise.all(['a', 'b', 'c'].map((key) => put(bucket, key)));
    await noted(databases, bucket.id);
    expect(await new EmptyingStore(databases.region).removeSome(bucket.id, 2)).toBe(2);
    expect(await new EmptyingStore(databases.region).removeSome(bucket.id, 2)).toBe(1);
    expect(await names(bucket)).toEqual([]);
  });

  test('commits that are joined keep their own ways', async () => {
    const bucket = await told();
    const ways = ['form', 'fetch', 'mirror'] as const;
    const wanted = Array.from({ length: 60 }, (_, at) => ({ key: `k${at}`, way: ways[at % 3] ?? 'form' }));
    await Promise.all(wanted.map(({ key, way }) => put(bucket, key, { way })));
    expect((await names(bucket)).toSorted()).toEqual(
      wanted.map(({ key, way }) => `created ${way} ${key}`).toSorted(),
    );
  });
});

test('an event that is rolled back with its change never was', async () => {
  const bucket = await told();
  const refuse = store.transaction(async (transaction) => {
    await store.commit({ ...newObject(bucket.id, 'k'), way: 'form' }, 'insert', transaction);
    throw new Error('rolled back');
  });
  await expect(refuse).rejects.toThrow();
  expect(await names(bucket)).toEqual([]);
});

test('changes of one transaction in a bucket without rules and in one with rules are kept apart', async () => {
  const [quiet, bucket] = [await newBucket(databases, ++ids), await told()];
  await store.transaction(async (transaction) => {
    await store.commit({ ...newObject(quiet.id, 'k'), way: 'form' }, 'insert', transaction);
    await transaction.client.query(`DELETE FROM region.objects WHERE bucket_id = $1`, [quiet.id]);
    await store.commit({ ...newObject(bucket.id, 'k'), way: 'fetch' }, 'insert', transaction);
    await transaction.client.query(`DELETE FROM region.objects WHERE bucket_id = $1`, [bucket.id]);
  });
  expect(await names(quiet)).toEqual([]);
  expect(await names(bucket)).toEqual(['created fetch k', 'deleted delete k']);
});

test('changes of one key have the order of their commits, however many write at once', async () => {
  const bucket = await told();
  await Promise.all(
    Array.from({ length: 60 }, async (_, at) => {
      const key = `k${at % 3}`;
      if (at % 5 === 4) await store.remove(bucket.id, key);
      else await store.commit({ ...newObject(bucket.id, key), way: 'form' }, 'overwrite', databases.region);
    }),
  );
  const rows = await noted(databases, bucket.id);
  for (const key of ['k0', 'k1', 'k2']) {
    let last: string | undefined;
    for (const row of rows.filter((each) => each.key === key)) {
      expect(row.event).toBe(
        row.event === 'deleted' ? 'deleted' : last === undefined ? 'created' : 'overwritten',
      );
      if (row.event === 'overwritten') expect(row.previous?.hash).toBe(last);
      if (row.event === 'deleted') expect(row.object.hash).toBe(last);
      last = row.event === 'deleted' ? undefined : row.object.hash;
    }
    expect((await store.find(bucket.id, key))?.hash).toBe(last);
  }
});

describe('rules', () => {
  test('select by name, way, prefix, suffix and size as a plain reading of them does', async () => {
    const part = fc.string({
      unit: fc.constantFrom('a', 'b', '%', '_', '\\', '.', 'é', '\u{1f600}'),
      maxLength: 3,
    });
    const rule = fc.record({
      events: fc.uniqueArray(
        fc.constantFrom(
          'created',
          'created.form',
          'created.copy',
          'overwritten',
          'overwritten.fetch',
          'deleted',
          'deleted.delete',
          'deleted.move',
        ),
        { minLength: 1, maxLength: 3 },
      ),
      prefix: part,
      suffix: part,
      minSize: fc.option(fc.integer({ min: 0, max: 5 }), { nil: undefined }),
      maxSize: fc.option(fc.integer({ min: 5, max: 9 }), { nil: undefined }),
    });
    const change = fc.record({
      key: fc.string({
        unit: fc.constantFrom('a', 'b', '%', '_', '\\', '.', 'é', '\u{1f600}'),
        minLength: 1,
        maxLength: 4,
      }),
      size: fc.integer({ min: 0, max: 12 }),
      way: fc.constantFrom<CreationCause>('form', 'copy', 'fetch'),
      isRemoval: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(rule, { minLength: 1, maxLength: 6 }),
        fc.array(change, { minLength: 1, maxLength: 12 }),
        async (given, changes) => {
          const bucket = await newBucket(databases, ++ids);
          const rules = given.map((each, at) => ({ name: `r${at}`, url: RULE.url, ...each }));
          await service.setRules(bucket, rules);
          const there = new Map<string, number>();
          const expected: string[] = [];
          for (const { key, size, way, isRemoval } of changes) {
            const before = there.get(key);
            if (isRemoval && before === undefined) continue;
            const [event, by] = isRemoval
              ? ['deleted', 'delete']
              : [before === undefined ? 'created' : 'overwritten', way];
            const bytes = isRemoval ? (before ?? 0) : size;
            if (isRemoval) await store.remove(bucket.id, key);
            else await put(bucket, key, { size, way });
            if (isRemoval) there.delete(key);
            else there.set(key, size);
            const fitting = rules.filter(
              ({ events, prefix, suffix, minSize = 0, maxSize = Infinity }) =>
                events.some((each) => each === event || each === `${event}.${by}`) &&
                key.startsWith(prefix) &&
                key.endsWith(suffix) &&
                bytes >= minSize &&
                bytes <= maxSize,
            );
            if (fitting.length > 0)
              expected.push(`${event} ${by} ${key}: ${fitting.map(({ name }) => name).join(' ')}`);
          }
          const rows = await noted(databases, bucket.id);
          expect(
            rows.map(({ event, way, key, rules: by }) => `${event} ${way} ${key}: ${by.join(' ')}`),
          ).toEqual(expected);
        },
      ),
      { numRuns: 40 },
    );
  });

  test('that are changed at the same time all stay', async () => {
    const bucket = await newBucket(databases, ++ids);
    const names = Array.from({ length: 12 }, (_, at) => `r${String(at).padStart(2, '0')}`);
    await Promise.all(
      names.map((name) => service.changeRules(bucket, (rules) => [...rules, { ...RULE, name }])),
    );
    expect((await service.rules(bucket)).map(({ name }) => name)).toEqual(names);
  });

  test('are replaced as a whole; without any, nothing is noted; they go with their bucket', async () => {
    const bucket = await told();
    expect(await service.rules(bucket)).toEqual([{ ...RULE, events: ALL }]);
    await service.setRules(bucket, [
      { ...RULE, name: 'b', minSize: 1 },
      { ...RULE, name: 'a', prefix: 'p/', suffix: '.jpg', maxSize: 7 },
    ]);
    expect((await service.rules(bucket)).map(({ name }) => name)).toEqual(['a', 'b']);
    await service.setRules(bucket, []);
    await put(bucket, 'k');
    await store.remove(bucket.id, 'k');
    expect(await names(bucket)).toEqual([]);
    await service.setRules(bucket, [RULE]);
    await query('DELETE FROM region.bucket_gate WHERE bucket_id = $1', [bucket.id]);
    expect(await service.rules(bucket)).toEqual([]);
    await expect(service.setRules(bucket, [RULE])).rejects.toMatchObject({ fault: 'noSuchBucket' });
  });
});

test('what a statement says of one bucket says nothing of another, nor of what the same transaction does later', async () => {
  const [quiet, bucket] = [await newBucket(databases, ++ids), await told()];
  await put(bucket, 'k');
  await noted(databases, bucket.id);
  await store.transaction(async (transaction) => {
    await store.commit({ ...newObject(quiet.id, 'k'), way: 'form' }, 'insert', transaction);
    // It does not say by which way.
    await transaction.client.query('UPDATE region.objects SET put_time = put_time + 1 WHERE bucket_id = $1', [
      bucket.id,
    ]);
    await transaction.client.query("SELECT set_config('millpond.bucket_without_events', $1, true)", [
      String(bucket.id),
    ]);
    await transaction.client.query('UPDATE region.objects SET put_time = put_time + 1 WHERE bucket_id = $1', [
      bucket.id,
    ]);
    await store.commit({ ...newObject(bucket.id, 'later'), way: 'fetch' }, 'insert', transaction);
  });
  expect(await names(bucket)).toEqual(['overwritten other k', 'created fetch later']);
});

test('a commit to a bucket without rules does not even call the function that notes changes', async () => {
  const bucket = await newBucket(databases, ++ids);
  const work = store.transaction(async (transaction) => {
    await transaction.client.query(`CREATE OR REPLACE FUNCTION region.note_change(was region.objects, o region.objects)
      RETURNS void LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'it was called'; END $$`);
    await store.commit({ ...newObject(bucket.id, 'k'), way: 'form' }, 'overwrite', transaction);
    await store.commit({ ...newObject(bucket.id, 'k'), way: 'form' }, 'overwrite', transaction);
    // What has not looked at the gate calls it; so it would have been noticed.
    await transaction.client.query("SELECT set_config('millpond.bucket_without_events', '', true)");
    await transaction.client.query('SAVEPOINT before');
    const removal = transaction.client.query('DELETE FROM region.objects WHERE bucket_id = $1', [bucket.id]);
    await expect(removal).rejects.toThrow('it was called');
    throw new Error('all as expected');
  });
  await expect(work).rejects.toThrow('all as expected');
});
