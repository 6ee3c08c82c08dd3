import { describe, expect, test } from 'vitest';
import { useDatabases } from '../../../test/databases.ts';
import { bodyOf, ok, SOON, startEventReceiver, status, useSenders } from './deliveries.testing.ts';

const databases = useDatabases();
const tests = useSenders(databases);
const DAY = 86_400_000;

describe('an endpoint', () => {
  const endpointOf = async () => (await tests.place.deliveries.endpointsOf(tests.uid, 0n, 10))[0];

  test('that hangs does not delay another [delivery-19 delivery-09]', async () => {
    const hanging = await startEventReceiver();
    let [atOnce, most] = [0, 0];
    hanging.answer = (_event, response) => {
      atOnce += 1;
      most = Math.max(most, atOnce);
      response.once('close', () => {
        atOnce -= 1;
      });
    };
    const [slots, perEndpoint] = [8, 4];
    tests.start({ slots, perEndpoint });
    const uid = await tests.newAccount();
    for (let n = 0; n < 50; n++) await tests.add({ url: `${hanging.url}/`, uid });
    await expect.poll(() => atOnce, SOON).toBeGreaterThan(0);
    const ids = await Promise.all(Array.from({ length: 20 }, () => tests.add()));
    for (const { id } of ids) await expect.poll(() => tests.stateOf(id), SOON).toBe('delivered');
    // Nobody waited for a try that hangs: there were free slots all the time.
    expect(most).toBeLessThanOrEqual(perEndpoint);
    await hanging.close();
  });

  test('down for four days gets everything after its return, in order, and not all at once [delivery-17 delivery-11]', async () => {
    // Five minutes, the longest wait for a probe, are 1.5 s; a day is seven minutes, within which all must be taken.
    const timeFactor = 200;
    tests.receiver.answer = (_event, response) => response.destroy();
    tests.start({ timeFactor });
    const [lanes, events] = [20, 10];
    for (let n = 0; n < events; n++)
      await Promise.all(
        Array.from({ length: lanes }, (_, lane) => tests.add({ entity: `cam${lane}`, ...bodyOf(`${n}`) })),
      );
    await expect.poll(async () => (await endpointOf())?.state, SOON).toMatch(/open/);
    const { rowCount } = await databases.region.pool.query(
      `UPDATE region.delivery_queue SET began_at = began_at - make_interval(secs => $1) WHERE uid = $2`,
      [(4 * DAY) / timeFactor / 1000, tests.uid],
    );
    expect(rowCount).toBe(lanes * events);
    let [atOnce, most] = [0, 0];
    const taken = new Map<string, number[]>();
    tests.receiver.answer = (event, response) => {
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
    await expect.poll(count, SOON).toBe(lanes * events);
    for (const lane of taken.values()) expect(lane).toEqual(Array.from({ length: events }, (_, n) => n + 1));
    expect(most).toBeLessThanOrEqual(16);
    await expect.poll(async () => (await endpointOf())?.state, SOON).toBe('closed');
  });

  test('that says 410 ends the delivery; a configured one is suspended, and the operator is told [delivery-13]', async () => {
    tests.receiver.answer = status(410);
    tests.start();
    const { id } = await tests.add({ endpoint: 'namespace-1' });
    await expect.poll(() => tests.stateOf(id), SOON).toBe('failed');
    await expect.poll(async () => (await endpointOf())?.state, SOON).toBe('suspended');
    const [notice] = await tests.place.deliveries.notices(1);
    expect(notice).toMatchObject({ uid: tests.uid, kind: 'suspended', text: expect.stringContaining('410') });
    // Its events are kept, and go out when it is resumed.
    tests.receiver.answer = ok;
    const kept = await tests.add({ endpoint: 'namespace-1', ...bodyOf('kept') });
    const other = await startEventReceiver();
    const { id: later } = await tests.add({ url: `${other.url}/` });
    await expect.poll(() => tests.stateOf(later), SOON).toBe('delivered');
    await other.close();
    expect(await tests.stateOf(kept.id)).toBe('waiting');
    await tests.place.deliveries.resume((await endpointOf())?.endpoint_id ?? 0n, tests.uid, 'a test');
    await expect.poll(() => tests.stateOf(kept.id), SOON).toBe('delivered');
  });

  test('that was suspended is resumed by a new address, and its events go there', async () => {
    tests.receiver.answer = status(410);
    tests.start();
    const { id } = await tests.add({ endpoint: 'namespace-3' });
    await expect.poll(() => tests.stateOf(id), SOON).toBe('failed');
    await expect.poll(async () => (await endpointOf())?.state, SOON).toBe('suspended');
    const kept = await tests.add({ endpoint: 'namespace-3', ...bodyOf('kept') });
    const successor = await startEventReceiver();
    await databases.region.transaction((transaction) =>
      tests.place.deliveries.configure(transaction, tests.uid, 'namespace-3', `${successor.url}/`),
    );
    await expect.poll(() => tests.stateOf(kept.id), SOON).toBe('delivered');
    expect(successor.received.map(({ body }) => body)).toEqual(['kept']);
    const [notice] = await tests.place.deliveries.notices(1);
    expect(notice).toMatchObject({ uid: tests.uid, kind: 'resumed', text: 'its address was changed' });
    await successor.close();
  });

  test('keeps its new address when an event comes whose cause had read the old one', async () => {
    await tests.add({ endpoint: 'namespace-4' });
    const successor = await startEventReceiver();
    await databases.region.transaction((transaction) =>
      tests.place.deliveries.configure(transaction, tests.uid, 'namespace-4', `${successor.url}/`),
    );
    const late = await tests.add({ endpoint: 'namespace-4' });
    tests.start();
    await expect.poll(() => tests.stateOf(late.id), SOON).toBe('delivered');
    await expect.poll(() => successor.received, SOON).toHaveLength(2);
    expect(tests.receiver.received).toEqual([]);
    await successor.close();
  });

  test('of a URL given with the call is never suspended [delivery-16 delivery-13]', async () => {
    tests.receiver.answer = status(410);
    tests.start();
    const { id } = await tests.add();
    await expect.poll(() => tests.stateOf(id), SOON).toBe('failed');
    tests.receiver.answer = ok;
    const next = await tests.add();
    await expect.poll(() => tests.stateOf(next.id), SOON).toBe('delivered');
    expect((await endpointOf())?.state).toBe('closed');
  });

  test('that fails for five days is suspended, and keeps its events for 14 days [delivery-14 delivery-15]', async () => {
    // Five days are 2.2 s, 14 days 6 s.
    const timeFactor = 200_000;
    tests.receiver.answer = status(500);
    const sender = tests.start({ timeFactor });
    const suspended = async () => {
      await tests.add({ endpoint: 'namespace-2' });
      return (await endpointOf())?.state;
    };
    await expect.poll(suspended, { ...SOON, interval: 200 }).toBe('suspended');
    expect(sender.counts.suspended).toBe(1);
    const [notice] = await tests.place.deliveries.notices(1);
    expect(notice).toMatchObject({
      uid: tests.uid,
      kind: 'suspended',
      text: expect.stringContaining('5 days'),
    });
    const before = tests.receiver.received.length;
    const begun = performance.now();
    const { id } = await tests.add({ endpoint: 'namespace-2' });
    await expect.poll(() => tests.stateOf(id), SOON).toBe('failed');
    expect(performance.now() - begun).toBeGreaterThan((13 * DAY) / timeFactor);
    expect(tests.receiver.received).toHaveLength(before);
    expect((await tests.place.deliveries.get(id, tests.uid)).attempts).toEqual([]);
  });
});
