import { describe, expect, test } from 'vitest';
import { useDatabases } from '../../../../test/databases.ts';
import { bodyOf, newEvent, ok, SOON, startEventReceiver, status, useSenders } from '../deliveries.testing.ts';

const databases = useDatabases();
const tests = useSenders(databases);

describe('an event', () => {
  test('is sent once it is committed, and never when its cause is rolled back [delivery-01]', async () => {
    tests.start();
    await expect(
      databases.region.transaction(async (transaction) => {
        await tests.place.deliveries.add(
          transaction,
          newEvent(tests.receiver.url, { uid: tests.uid, ...bodyOf('never') }),
        );
        throw new Error('the cause failed');
      }),
    ).rejects.toThrow();
    const { id } = await tests.add(bodyOf('committed'));
    await expect.poll(() => tests.stateOf(id), SOON).toBe('delivered');
    expect(tests.told()).toEqual(['committed']);
  });

  test('is not sent before its cause can be read [G44]', async () => {
    tests.start();
    let seen: unknown;
    tests.receiver.answer = async (event, response) => {
      const { rows } = await databases.region.pool.query('SELECT state FROM cause WHERE id = $1', [
        event.body,
      ]);
      seen = rows;
      response.writeHead(200).end();
    };
    await databases.region.pool.query('CREATE TABLE cause (id text, state text)');
    await databases.region.transaction(async (transaction) => {
      await tests.place.deliveries.add(
        transaction,
        newEvent(tests.receiver.url, { uid: tests.uid, ...bodyOf('c') }),
      );
      // The sender has every chance to be too early: what is added behind it goes out.
      const other = await startEventReceiver();
      const { id } = await tests.add({ url: `${other.url}/` });
      await expect.poll(() => tests.stateOf(id), SOON).toBe('delivered');
      await other.close();
      await transaction.client.query(`INSERT INTO cause VALUES ('c', 'final')`);
    });
    await expect.poll(() => seen, SOON).toEqual([{ state: 'final' }]);
  });
});

describe('tries', () => {
  test('carry the same bytes and id each time, until one is taken; all are on record [delivery-02 delivery-23]', async () => {
    let answered = 0;
    tests.receiver.answer = (_event, response) => {
      answered += 1;
      if (answered < 3) response.writeHead(503).end('not now '.repeat(4096));
      else response.writeHead(204).end();
    };
    tests.start({ timeFactor: 100 });
    const { id } = await tests.add(bodyOf('{"n":1}'));
    await expect.poll(() => tests.stateOf(id), SOON).toBe('delivered');
    expect(tests.told()).toEqual(['{"n":1}', '{"n":1}', '{"n":1}']);
    expect(new Set(tests.receiver.received.map((event) => event.headers['webhook-id']))).toEqual(
      new Set([id]),
    );
    const { attempts } = await tests.place.deliveries.get(id, tests.uid);
    expect(attempts.map((each) => [each.attempt, each.status])).toEqual([
      [1, 503],
      [2, 503],
      [3, 204],
    ]);
    expect(attempts[0]?.response).toHaveLength(16 * 1024);
  });

  test('wait as the schedule says, by the time factor [delivery-10]', async () => {
    tests.receiver.answer = status(500);
    tests.start({ timeFactor: 10 });
    await tests.add();
    await expect.poll(() => tests.receiver.received.length, SOON).toBe(3);
    const [first = 0, second = 0, third = 0] = tests.receiver.received.map((event) => event.at);
    // Never sooner; how much later depends on the machine.
    expect(second - first).toBeGreaterThanOrEqual(100);
    expect(third - second).toBeGreaterThanOrEqual(500);
  });

  test('wait longer when the receiver asks for it [delivery-12]', async () => {
    tests.receiver.answer = (_event, response) =>
      tests.receiver.received.length === 1
        ? response.writeHead(429, { 'retry-after': '120' }).end()
        : response.writeHead(200).end();
    tests.start({ timeFactor: 100 });
    await tests.add();
    await expect.poll(() => tests.receiver.received.length, SOON).toBe(2);
    const [first = 0, second = 0] = tests.receiver.received.map((event) => event.at);
    expect(second - first).toBeGreaterThanOrEqual(1200);
  });

  test('end five days after the event was made [delivery-11]', async () => {
    tests.receiver.answer = status(500);
    // Five days are 4.3 s.
    tests.start({ timeFactor: 100_000 });
    const { id } = await tests.add();
    await expect.poll(() => tests.stateOf(id), SOON).toBe('failed');
    const { attempts } = await tests.place.deliveries.get(id, tests.uid);
    expect(attempts.length).toBeGreaterThanOrEqual(11);
    // Senders find their work in the queue alone.
    const { rows } = await databases.region.pool.query(
      'SELECT FROM region.delivery_queue WHERE delivery_id = $1',
      [id],
    );
    expect(rows).toEqual([]);
    expect(tests.receiver.received).toHaveLength(attempts.length);
  });
});

describe('sending again', () => {
  test('one, all that failed since a time, and a range [delivery-18]', async () => {
    tests.receiver.answer = status(410);
    tests.start();
    const failed = [await tests.add(bodyOf('a')), await tests.add(bodyOf('b'))];
    for (const { id } of failed) await expect.poll(() => tests.stateOf(id), SOON).toBe('failed');
    tests.receiver.answer = ok;
    await tests.place.deliveries.resend(failed[0]?.id ?? '', tests.uid);
    await expect.poll(() => tests.stateOf(failed[0]?.id ?? ''), SOON).toBe('delivered');
    const since = new Date(Date.now() - 60_000);
    const filter = {
      uid: tests.uid,
      state: undefined,
      endpointId: undefined,
      since,
      until: new Date(Date.now() + 60_000),
    };
    expect(await tests.place.deliveries.resendAll({ ...filter, state: 'failed' }, undefined)).toEqual({
      count: 1,
      next: undefined,
    });
    await expect.poll(() => tests.stateOf(failed[1]?.id ?? ''), SOON).toBe('delivered');
    expect(tests.told().toSorted()).toEqual(['a', 'a', 'b', 'b']);
    expect(await tests.place.deliveries.resendAll(filter, undefined)).toMatchObject({ count: 2 });
    await expect.poll(() => tests.told().toSorted(), SOON).toEqual(['a', 'a', 'a', 'b', 'b', 'b']);
    const numbers = async () =>
      (await tests.place.deliveries.get(failed[0]?.id ?? '', tests.uid)).attempts.map((each) => each.attempt);
    await expect.poll(numbers, SOON).toEqual([1, 2, 3]);
  });
});
