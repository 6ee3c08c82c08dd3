import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { useDatabases } from '../../../test/databases.ts';
import type { Sender, SenderOptions } from './sender.ts';
import type { NewEvent } from './service.ts';
import {
  type EventReceiver,
  newEvent,
  ok,
  openDeliveries,
  startEventReceiver,
  status,
  type TestDeliveries,
} from './testing.ts';

const databases = useDatabases();
const senders: Sender[] = [];
let place: TestDeliveries;
let receiver: EventReceiver;
let uid: bigint;
const DAY = 86_400_000;
/** A busy machine may take its time for what needs none. */
const SOON = { timeout: 20_000, interval: 20 };

beforeAll(() => {
  place = openDeliveries(databases);
  return () => place.close();
});
beforeEach(async () => {
  receiver = await startEventReceiver();
  const { rows } = await databases.control.pool.query<{ uid: bigint }>(
    `INSERT INTO control.accounts (email) VALUES (gen_random_uuid() || '@example.com') RETURNING uid`,
  );
  uid = rows[0]?.uid ?? 0n;
});
afterEach(async () => {
  await Promise.all(senders.splice(0).map((sender) => sender.stop()));
  await receiver.close();
});

function start(options: Partial<SenderOptions> = {}): Sender {
  const sender = place.sender(options);
  senders.push(sender);
  sender.start();
  return sender;
}

function add(overrides: Partial<NewEvent> = {}): Promise<{ id: string; sequence: bigint }> {
  const event = newEvent(`${receiver.url}/events`, { uid, ...overrides });
  return databases.region.transaction((transaction) => place.deliveries.add(transaction, event));
}

const bodyOf = (text: string) => ({ body: Buffer.from(text) });
const told = () => receiver.received.map((event) => event.body);
const stateOf = async (id: string) => (await place.deliveries.get(id, uid)).delivery.state;

describe('an event', () => {
  test('is sent once it is committed, and never when its cause is rolled back [delivery-01]', async () => {
    start();
    await expect(
      databases.region.transaction(async (transaction) => {
        await place.deliveries.add(transaction, newEvent(receiver.url, { uid, ...bodyOf('never') }));
        throw new Error('the cause failed');
      }),
    ).rejects.toThrow();
    const { id } = await add(bodyOf('committed'));
    await expect.poll(() => stateOf(id), SOON).toBe('delivered');
    expect(told()).toEqual(['committed']);
  });

  test('is not sent before its cause can be read [G44]', async () => {
    start();
    let seen: unknown;
    receiver.answer = async (event, response) => {
      const { rows } = await databases.region.pool.query('SELECT state FROM cause WHERE id = $1', [
        event.body,
      ]);
      seen = rows;
      response.writeHead(200).end();
    };
    await databases.region.pool.query('CREATE TABLE cause (id text, state text)');
    await databases.region.transaction(async (transaction) => {
      await place.deliveries.add(transaction, newEvent(receiver.url, { uid, ...bodyOf('c') }));
      // The sender has every chance to be too early.
      await new Promise((resolve) => setTimeout(resolve, 300));
      await transaction.client.query(`INSERT INTO cause VALUES ('c', 'final')`);
    });
    await expect.poll(() => seen, SOON).toEqual([{ state: 'final' }]);
  });
});

describe('tries', () => {
  test('carry the same bytes and id each time, until one is taken; all are on record [delivery-02 delivery-23]', async () => {
    let answered = 0;
    receiver.answer = (_event, response) => {
      answered += 1;
      if (answered < 3) response.writeHead(503).end('not now '.repeat(4096));
      else response.writeHead(204).end();
    };
    start({ timeFactor: 100 });
    const { id } = await add(bodyOf('{"n":1}'));
    await expect.poll(() => stateOf(id), SOON).toBe('delivered');
    expect(told()).toEqual(['{"n":1}', '{"n":1}', '{"n":1}']);
    expect(new Set(receiver.received.map((event) => event.headers['webhook-id']))).toEqual(new Set([id]));
    const { attempts } = await place.deliveries.get(id, uid);
    expect(attempts.map((each) => [each.attempt, each.status])).toEqual([
      [1, 503],
      [2, 503],
      [3, 204],
    ]);
    expect(attempts[0]?.response).toHaveLength(16 * 1024);
  });

  test('wait as the ladder says, by the time factor [delivery-10]', async () => {
    receiver.answer = status(500);
    start({ timeFactor: 10 });
    await add();
    await expect.poll(() => receiver.received.length, SOON).toBe(3);
    const [first = 0, second = 0, third = 0] = receiver.received.map((event) => event.at);
    // Never sooner; how much later depends on the machine.
    expect(second - first).toBeGreaterThanOrEqual(100);
    expect(third - second).toBeGreaterThanOrEqual(500);
  });

  test('wait longer when the receiver asks for it [delivery-12]', async () => {
    receiver.answer = (_event, response) =>
      receiver.received.length === 1
        ? response.writeHead(429, { 'retry-after': '120' }).end()
        : response.writeHead(200).end();
    start({ timeFactor: 100 });
    await add();
    await expect.poll(() => receiver.received.length, SOON).toBe(2);
    const [first = 0, second = 0] = receiver.received.map((event) => event.at);
    expect(second - first).toBeGreaterThanOrEqual(1200);
  });

  test('end five days after the event was made [delivery-11]', async () => {
    receiver.answer = status(500);
    // Five days are 4.3 s.
    start({ timeFactor: 100_000 });
    const { id } = await add();
    await expect.poll(() => stateOf(id), SOON).toBe('failed');
    const { attempts } = await place.deliveries.get(id, uid);
    expect(attempts.length).toBeGreaterThanOrEqual(11);
    const last = receiver.received.length;
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(receiver.received).toHaveLength(last);
  });
});

describe('a lane', () => {
  const numbers = (entity: string) =>
    receiver.received
      .filter((event) => event.headers['x-svc-entity'] === entity)
      .map((event) => Number(event.headers['x-svc-sequence']));

  test('keeps its order through failing tries, with two senders and many lanes; the last state told is the true one [G43 delivery-20 delivery-22]', async () => {
    const taken = new Map<string, number[]>();
    receiver.answer = (event, response) => {
      if (Math.random() < 0.4) {
        if (Math.random() < 0.5) response.destroy();
        else response.writeHead(500).end();
        return;
      }
      const entity = String(event.headers['x-svc-entity']);
      taken.set(entity, [...(taken.get(entity) ?? []), Number(event.headers['x-svc-sequence'])]);
      response.writeHead(200).end();
    };
    start({ timeFactor: 1000 });
    start({ timeFactor: 1000 });
    const [lanes, events] = [8, 12];
    for (let n = 0; n < events; n++)
      await Promise.all(
        Array.from({ length: lanes }, (_, lane) => add({ entity: `cam${lane}`, ...bodyOf(`${n % 2}`) })),
      );
    const all = Array.from({ length: events }, (_, n) => n + 1);
    await expect
      .poll(() => [...taken.values()].map((each) => each.length), { ...SOON, timeout: 60_000 })
      .toEqual(Array.from({ length: lanes }, () => events));
    for (const lane of taken.values()) expect(lane).toEqual(all);
  }, 90_000);

  test('is held by a receiver that is away, and another lane is not [delivery-20]', async () => {
    const other = await startEventReceiver();
    receiver.answer = status(503);
    start({ timeFactor: 100 });
    for (let n = 0; n < 3; n++) await add({ entity: 'held', ...bodyOf(`${n}`) });
    const { id } = await add({ url: `${other.url}/x`, entity: 'free' });
    await expect.poll(() => stateOf(id), SOON).toBe('delivered');
    await expect.poll(() => receiver.received.length, SOON).toBeGreaterThan(2);
    expect(new Set(told())).toEqual(new Set(['0']));
    receiver.answer = ok;
    await expect.poll(() => new Set(told()), SOON).toEqual(new Set(['0', '1', '2']));
    await other.close();
  });

  test('is delayed by an event that is always refused for three tries, not for days [delivery-21]', async () => {
    receiver.answer = (event, response) => response.writeHead(event.body === 'bad' ? 400 : 200).end();
    start({ timeFactor: 10 });
    const { id } = await add({ entity: 'cam', ...bodyOf('bad') });
    for (let n = 1; n <= 3; n++) await add({ entity: 'cam', ...bodyOf(`good ${n}`) });
    await expect
      .poll(() => told().filter((body) => body !== 'bad'), SOON)
      .toEqual(['good 1', 'good 2', 'good 3']);
    expect(told().slice(0, 4)).toEqual(['bad', 'bad', 'bad', 'good 1']);
    // It goes on by itself.
    expect(await stateOf(id)).toBe('waiting');
    await expect.poll(() => told().filter((body) => body === 'bad').length, SOON).toBeGreaterThan(3);
    expect(numbers('cam').slice(0, 4)).toEqual([1, 1, 1, 2]);
  });
});

describe('an endpoint', () => {
  const endpointOf = async () => (await place.deliveries.endpointsOf(uid, 0n, 10))[0];

  test('that hangs does not delay another [delivery-19 delivery-09]', async () => {
    const hanging = await startEventReceiver();
    hanging.answer = () => undefined;
    start();
    for (let n = 0; n < 200; n++) await add({ url: `${hanging.url}/`, uid: uid + 1_000_000n });
    const begun = performance.now();
    const ids = await Promise.all(Array.from({ length: 20 }, () => add()));
    for (const { id } of ids) await expect.poll(() => stateOf(id), SOON).toBe('delivered');
    // A try that hangs takes 10 s; nobody waited for one.
    expect(performance.now() - begun).toBeLessThan(9000);
    await hanging.close();
  });

  test('down for four days gets everything after its return, in order, and not all at once [delivery-17 delivery-11]', async () => {
    // Four days are 17 s, 12 hours 2.2 s, five minutes 15 ms.
    const timeFactor = 20_000;
    receiver.answer = (_event, response) => response.destroy();
    start({ timeFactor });
    const begun = performance.now();
    const [lanes, events] = [20, 10];
    for (let n = 0; n < events; n++)
      await Promise.all(
        Array.from({ length: lanes }, (_, lane) => add({ entity: `cam${lane}`, ...bodyOf(`${n}`) })),
      );
    await expect.poll(async () => (await endpointOf())?.state, SOON).toMatch(/open/);
    await new Promise((resolve) => setTimeout(resolve, (4 * DAY) / timeFactor - (performance.now() - begun)));
    let [atOnce, most] = [0, 0];
    const taken = new Map<string, number[]>();
    receiver.answer = (event, response) => {
      atOnce += 1;
      most = Math.max(most, atOnce);
      const entity = String(event.headers['x-svc-entity']);
      taken.set(entity, [...(taken.get(entity) ?? []), Number(event.headers['x-svc-sequence'])]);
      setTimeout(() => {
        atOnce -= 1;
        response.writeHead(200).end();
      }, 5);
    };
    const count = () => [...taken.values()].reduce((sum, each) => sum + each.length, 0);
    await expect.poll(count, { ...SOON, timeout: 30_000 }).toBe(lanes * events);
    for (const lane of taken.values()) expect(lane).toEqual(Array.from({ length: events }, (_, n) => n + 1));
    expect(most).toBeLessThanOrEqual(16);
    await expect.poll(async () => (await endpointOf())?.state, SOON).toBe('closed');
  }, 90_000);

  test('that says 410 ends the delivery; a configured one is suspended, and the operator is told [delivery-13]', async () => {
    receiver.answer = status(410);
    start();
    const { id } = await add({ endpoint: 'namespace-1' });
    await expect.poll(() => stateOf(id), SOON).toBe('failed');
    await expect.poll(async () => (await endpointOf())?.state, SOON).toBe('suspended');
    const [notice] = await place.deliveries.notices(1);
    expect(notice).toMatchObject({ uid, kind: 'suspended', text: expect.stringContaining('410') });
    // Its events are kept, and go out when it is resumed.
    receiver.answer = ok;
    const kept = await add({ endpoint: 'namespace-1', ...bodyOf('kept') });
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(await stateOf(kept.id)).toBe('waiting');
    await place.deliveries.resume((await endpointOf())?.endpoint_id ?? 0n, uid, 'a test');
    await expect.poll(() => stateOf(kept.id), SOON).toBe('delivered');
  });

  test('of a URL given with the call is never suspended [delivery-16 delivery-13]', async () => {
    receiver.answer = status(410);
    start();
    const { id } = await add();
    await expect.poll(() => stateOf(id), SOON).toBe('failed');
    receiver.answer = ok;
    const next = await add();
    await expect.poll(() => stateOf(next.id), SOON).toBe('delivered');
    expect((await endpointOf())?.state).toBe('closed');
  });

  test('that fails for five days is suspended, and keeps its events for 14 days [delivery-14 delivery-15]', async () => {
    // Five days are 2.2 s, 14 days 6 s.
    const timeFactor = 200_000;
    receiver.answer = status(500);
    const sender = start({ timeFactor });
    const suspended = async () => {
      await add({ endpoint: 'namespace-2' });
      return (await endpointOf())?.state;
    };
    await expect.poll(suspended, { ...SOON, interval: 200 }).toBe('suspended');
    expect(sender.counts.suspended).toBe(1);
    const [notice] = await place.deliveries.notices(1);
    expect(notice).toMatchObject({ uid, kind: 'suspended', text: expect.stringContaining('5 days') });
    const before = receiver.received.length;
    const { id } = await add({ endpoint: 'namespace-2' });
    const begun = performance.now();
    await expect.poll(() => stateOf(id), SOON).toBe('failed');
    expect(performance.now() - begun).toBeGreaterThan((13 * DAY) / timeFactor);
    expect(receiver.received).toHaveLength(before);
    expect((await place.deliveries.get(id, uid)).attempts).toEqual([]);
  });
});

describe('sending again', () => {
  test('one, all that failed since a time, and a range [delivery-18]', async () => {
    receiver.answer = status(410);
    start();
    const failed = [await add(bodyOf('a')), await add(bodyOf('b'))];
    for (const { id } of failed) await expect.poll(() => stateOf(id), SOON).toBe('failed');
    receiver.answer = ok;
    expect(await place.deliveries.resend(failed[0]?.id ?? '', uid)).toBe(true);
    await expect.poll(() => stateOf(failed[0]?.id ?? ''), SOON).toBe('delivered');
    const since = new Date(Date.now() - 60_000);
    const filter = {
      uid,
      state: undefined,
      endpointId: undefined,
      since,
      until: new Date(Date.now() + 60_000),
    };
    expect(await place.deliveries.resendAll({ ...filter, state: 'failed' }, undefined)).toEqual({
      count: 1,
      next: undefined,
    });
    await expect.poll(() => stateOf(failed[1]?.id ?? ''), SOON).toBe('delivered');
    expect(told()).toEqual(['a', 'b', 'a', 'b']);
    expect(await place.deliveries.resendAll(filter, undefined)).toMatchObject({ count: 2 });
    await expect.poll(() => told().toSorted(), SOON).toEqual(['a', 'a', 'a', 'b', 'b', 'b']);
    const numbers = async () =>
      (await place.deliveries.get(failed[0]?.id ?? '', uid)).attempts.map((each) => each.attempt);
    await expect.poll(numbers, SOON).toEqual([1, 2, 3]);
  });
});
