/** Traces on their way into the database, and out of it. */
import { currentTrace, openLog, type RequestFacts, type Trace, withTrace } from '@millpond/base';
import { expect, test } from 'vitest';
import { useDatabases } from '../../../test/databases.ts';
import { Recorder } from './recorder.ts';
import { type NewTrace, TraceStore } from './trace.store.ts';

const databases = useDatabases();
const log = openLog('silent');

function facts(reqid: string): RequestFacts {
  return { reqid, method: 'GET', path: '/k', role: 'io', status: 404, ms: 1.26, address: '192.0.2.1' };
}

function trace(recorder: Recorder): Trace {
  const begun = recorder.begin();
  if (begun === undefined) throw new Error('requests are not traced');
  return begun;
}

test('a trace is found by the id of its request, with its steps in order, whatever characters they have', async () => {
  const store = new TraceStore(databases.region);
  const recorder = new Recorder(store, log, 'refused');
  const one = trace(recorder);
  await withTrace(one, async () => {
    await databases.region.query({ name: 'test-one', text: 'SELECT 1' }, []);
    const failing = databases.region.query({ name: 'test-bad', text: `SELECT 1 / 0 AS "top s3cret"` }, []);
    await expect(failing).rejects.toThrow();
  });
  one.authenticatedAs(7n, 'ak');
  one.refused('noSuchEntry', 612, 'a \0 and half a \ud83d');
  recorder.end(one, 404, 1, () => facts('found'));
  // What goes on after the answer is no step of it.
  one.step('engine', 'late', 0, true);
  await recorder.flush();
  const found = await store.find('found');
  expect(found).toMatchObject({
    uid: 7n,
    trace: { reqid: 'found', accessKey: 'ak', ms: 1.3, fault: 'noSuchEntry' },
  });
  // The first may have had to wait for a connection.
  const statements = found?.trace.steps.filter(({ name }) => name.startsWith('test-'));
  expect(statements?.map(({ name, ok, words }) => [name, ok, words])).toEqual([
    ['test-one', true, undefined],
    ['test-bad', false, '22012'],
  ]);
  expect(JSON.stringify(found?.trace.steps)).not.toMatch(/s3cret|late/);
  expect(currentTrace()).toBeUndefined();
});

test('what can not be written is dropped and counted, and what is held is bounded', async () => {
  const recorder = new Recorder({ insert: () => Promise.reject(new Error('away')) }, log, 'all');
  for (let n = 0; n < 6000; n++) recorder.end(trace(recorder), 200, 1, () => facts(`r${n}`));
  expect(recorder.dropped).toBe(1000);
  await recorder.flush();
  expect([recorder.dropped, recorder.written]).toEqual([6000, 0]);
});

test('none are made where none are asked for', () => {
  expect(new Recorder(new TraceStore(databases.region), log, 'none').begin()).toBeUndefined();
});

test('the oldest go first: those that are too old, and those that are too many, a page at a time', async () => {
  const store = new TraceStore(databases.region);
  await databases.region.pool.query('TRUNCATE region.traces');
  const kept = (n: number, agoMs: number): NewTrace => {
    const { path, ...rest } = facts(`f${n}`);
    return {
      uid: undefined,
      agoMs,
      trace: { ...rest, path, steps: [], caused: { tasks: [], deliveries: [] } },
    };
  };
  const days = 86_400_000;
  await store.insert([kept(0, 9 * days), kept(1, 8 * days), kept(2, 8 * days)]);
  await store.insert(Array.from({ length: 10 }, (_, n) => kept(3 + n, 0)));
  expect([
    await store.forget(7, 100, 2),
    await store.forget(7, 100, 2),
    await store.forget(7, 100, 2),
  ]).toEqual([2, 1, 0]);
  expect(await store.forget(7, 4, 100)).toBe(6);
  expect([await store.find('f8'), (await store.find('f9'))?.trace.reqid]).toEqual([undefined, 'f9']);
});
