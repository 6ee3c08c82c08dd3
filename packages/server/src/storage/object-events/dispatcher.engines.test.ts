import { openLog } from '@millpond/base';
import { objectEvents } from '@millpond/protocol';
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { useDatabases } from '../../../test/databases.ts';
import { SOON, useSenders } from '../../events/deliveries/deliveries.testing.ts';
import type { Bucket } from '../buckets/index.ts';
import { ArchiveStore, ObjectStore } from '../objects/objects.testing.ts';
import { EventDispatcher } from './dispatcher.ts';
import { ObjectEventStore } from './object-event.store.ts';
import type { ObjectEvents } from './object-events.service.ts';
import { newBucket, newObject, openObjectEvents } from './object-events.testing.ts';

const databases = useDatabases();
const tests = useSenders(databases);
const ALL = Object.keys(objectEvents);
let service: ObjectEvents;
let store: ObjectStore;
let bucket: Bucket;
let ids = 1000n;

const teller = () =>
  new EventDispatcher({
    store: new ObjectEventStore(databases.region),
    deliveries: tests.place.deliveries,
    region: 'r1',
    log: openLog('silent'),
  });

beforeAll(() => {
  service = openObjectEvents(databases, tests.place.deliveries);
  store = new ObjectStore(databases.region);
});
beforeEach(async () => {
  bucket = await newBucket(databases, ++ids, tests.uid);
});

const setRules = (...rules: object[]) =>
  service.setRules(
    bucket,
    rules.map((rule, at) => ({ name: `r${at}`, url: `${tests.receiver.url}/${at}`, events: ALL, ...rule })),
  );
const put = (key: string, more: object = {}) =>
  store.commit({ ...newObject(bucket.id, key), way: 'form', ...more }, 'overwrite');
const tellAll = async () => {
  for (const one = teller(); (await one.dispatchBatch(7)) > 0; );
};

interface ReceivedEvent {
  readonly id: string;
  readonly type: string;
  readonly subject?: string;
  readonly sequence: string;
  readonly data: Readonly<Record<string, unknown>>;
}
const bodies = () => tests.receiver.received.map(({ body }) => JSON.parse(body) as ReceivedEvent);
const shortly = (events: readonly ReceivedEvent[]) =>
  events.map(({ type, data }) => `${type.replace('millpond.object.', '')} ${String(data.key)}`);

describe('what changes have left', () => {
  test('is told once for each rule, in the order of each key', async () => {
    tests.start();
    await setRules({}, { events: ['deleted'] });
    const keys = ['a', 'b', 'c'];
    for (let round = 0; round < 8; round++) await Promise.all(keys.map((key) => put(key)));
    await Promise.all(keys.map((key) => store.remove(bucket.id, key)));
    // Two of them take turns.
    await Promise.all([tellAll(), tellAll()]);
    await tellAll();
    await vi.waitFor(() => expect(tests.receiver.received).toHaveLength(27 + 3), SOON);
    const to = (path: string) => tests.receiver.received.filter((event) => event.path === path);
    expect(to('/1').map(({ body }) => (JSON.parse(body) as ReceivedEvent).type)).toEqual(
      Array(3).fill('millpond.object.deleted'),
    );
    for (const key of keys) {
      const ours = to('/0')
        .map(({ body }) => JSON.parse(body) as ReceivedEvent)
        .filter(({ data }) => data.key === key);
      expect(shortly(ours)).toEqual([
        `created ${key}`,
        ...Array(7).fill(`overwritten ${key}`),
        `deleted ${key}`,
      ]);
      expect(ours.map(({ sequence }) => sequence)).toEqual(ours.map(({ sequence }) => sequence).toSorted());
    }
    expect(new Set(bodies().map(({ id }) => id)).size).toBe(30);
  });

  test('goes out even if its rule or its bucket is gone by then', async () => {
    tests.start();
    await setRules({});
    await put('k');
    await setRules();
    await put('unseen');
    await databases.region.pool.query('DELETE FROM region.bucket_gate WHERE bucket_id = $1', [bucket.id]);
    await tellAll();
    await vi.waitFor(() => expect(shortly(bodies())).toEqual(['created k']), SOON);
  });

  test('goes to the URL that its rule has by then', async () => {
    await setRules({ url: 'http://127.0.0.1:9/gone' });
    await put('k');
    await tellAll();
    await setRules({});
    tests.start();
    await vi.waitFor(() => expect(shortly(bodies())).toEqual(['created k']), SOON);
  });

  test('stays whole where the deliveries can’t be written', async () => {
    await setRules({});
    await put('k');
    const failing = new EventDispatcher({
      store: new ObjectEventStore(databases.region),
      deliveries: { addAll: () => Promise.reject(new Error('no')) },
      region: 'r1',
      log: openLog('silent'),
    });
    await expect(failing.dispatchBatch()).rejects.toThrow('no');
    const figures = new ObjectEventStore(databases.region);
    expect(await figures.pendingStats()).toEqual({ pending: 1, lateSeconds: expect.any(Number) });
    tests.start();
    await tellAll();
    await vi.waitFor(() => expect(shortly(bodies())).toEqual(['created k']), SOON);
    expect(await figures.pendingStats()).toEqual({ pending: 0, lateSeconds: 0 });
  });

  test('a running teller finds by itself, and stops', async () => {
    tests.start();
    await setRules({});
    const running = teller();
    running.start();
    await put('k');
    await vi.waitFor(() => expect(shortly(bodies())).toEqual(['created k']), SOON);
    await running.stop();
  });

  test('may concern a key that no attribute can hold', async () => {
    tests.start();
    await setRules({});
    await put('line\nbreak \u{1f600} \uffff');
    await put('');
    await tellAll();
    await vi.waitFor(() => expect(tests.receiver.received).toHaveLength(2), SOON);
    const told = bodies().toSorted((a, b) => a.sequence.localeCompare(b.sequence));
    expect(told.map(({ subject }) => subject)).toEqual(['line%0Abreak \u{1f600} %EF%BF%BF', undefined]);
    expect(told[0]?.data.key).toBe('line\nbreak \u{1f600} \uffff');
  });
});

describe('a restore', () => {
  const at = (key: string) =>
    databases.region.pool.query(
      `UPDATE region.objects SET restore_ready_at = now() - interval '2 seconds', restore_ends_at = now() - interval '1 second'
     WHERE bucket_id = $1 AND key = $2`,
      [bucket.id, key],
    );
  const begin = async (key: string) => {
    await put(key, { storageClass: 2 });
    await at(key);
  };

  test('is told when it is ready and when it has ended', async () => {
    tests.start();
    await setRules({ events: ['restoring', 'restored', 'frozen'] });
    await begin('k');
    await tellAll();
    await vi.waitFor(
      () => expect(shortly(bodies())).toEqual(['restoring k', 'restored k', 'frozen k']),
      SOON,
    );
  });

  test('that was overtaken by an overwrite, or whose rule is gone, is not', async () => {
    tests.start();
    await setRules({ events: ['restored', 'overwritten'] });
    await begin('overwritten');
    await put('overwritten', { storageClass: 2 });
    await begin('unruled');
    await setRules({ name: 'other', events: ['deleted'] });
    await store.remove(bucket.id, 'unruled');
    await tellAll();
    await vi.waitFor(
      () => expect(shortly(bodies()).toSorted()).toEqual(['deleted unruled', 'overwritten overwritten']),
      SOON,
    );
    const { rows } = await databases.region.pool.query(
      'SELECT FROM region.object_events WHERE bucket_id = $1',
      [bucket.id],
    );
    expect(rows).toEqual([]);
  });

  test('that lies in the future is not told before', async () => {
    await setRules({ events: ['restored', 'frozen'] });
    await put('k', { storageClass: 3 });
    const times = { archiveMs: 3_600_000, deepArchiveMs: 3_600_000, windowMs: 3_600_000 };
    await new ArchiveStore(databases.region).restore(bucket.id, 'k', times);
    expect(await teller().dispatchBatch()).toBe(0);
  });
});
