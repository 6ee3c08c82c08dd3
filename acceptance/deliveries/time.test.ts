/** What takes days, in a deployment for which they pass in seconds; most of a test is waiting, so all run at once. */
import { describe, test } from 'vitest';
import { newEndpoint, useFastTime } from '../support/events.ts';
import { json, type Received, reply, reset, useReceiver } from '../support/receiver.ts';

// Five days are 21.6 s, twelve hours 2.2 s, five minutes 15 ms.
const FACTOR = 20_000;
const DAY_MS = 86_400_000 / FACTOR;
const receiver = useReceiver();
const fast = useFastTime(FACTOR);
const SOON = { timeout: 60_000, interval: 50 };

const add = (event: { url: string; endpoint?: string; entity?: string; body?: string }) =>
  fast.producer.add({ uid: fast.account.uid, ...event });
const stateOf = async (id: string) => (await fast.record(id)).state;
const endpointState = async (name: string) => (await fast.endpoint(name))?.state;
const sequences = (requests: readonly Received[], entity: string) =>
  requests
    .filter(({ headers }) => headers['x-svc-entity'] === entity)
    .map(({ headers }) => Number(headers['x-svc-sequence']));
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe.concurrent('a receiver', () => {
  test('down for 4 days gets everything after its return, in order per entity and not all at once [delivery-17 delivery-20 delivery-22]', async ({
    expect,
  }) => {
    let isDown = true;
    let [now, most] = [0, 0];
    const taken: Received[] = [];
    const endpoint = receiver.at((response, request) => {
      if (isDown) {
        reset(response, request);
        return;
      }
      taken.push(request);
      now += 1;
      most = Math.max(most, now);
      setTimeout(() => {
        now -= 1;
        response.writeHead(200).end('{}');
      }, 5);
    });
    const name = newEndpoint();
    const begun = Date.now();
    const [entities, events] = [10, 20];
    const { uid } = fast.account;
    await fast.producer.addAll(
      Array.from({ length: entities * events }, (_, n) => ({
        ...{ uid, url: endpoint.url, endpoint: name },
        entity: `cam${n % entities}`,
      })),
    );
    await sleep(4 * DAY_MS - (Date.now() - begun));
    expect(await endpointState(name)).toMatch(/open/);
    isDown = false;
    await expect.poll(() => taken.length, { timeout: 90_000, interval: 50 }).toBe(entities * events);
    const inOrder = Array.from({ length: events }, (_, n) => n + 1);
    for (let entity = 0; entity < entities; entity++)
      expect(sequences(taken, `cam${entity}`)).toEqual(inOrder);
    // As many at a time as an endpoint may have, which it works up to.
    expect(most).toBeLessThanOrEqual(32);
    await expect.poll(() => endpointState(name), SOON).toBe('closed');
  }, 180_000);

  test('that fails while a camera flaps is told its true last state last [G43 delivery-20]', async ({
    expect,
  }) => {
    const taken: string[] = [];
    const endpoint = receiver.at((response, { text }) => {
      if (Math.random() < 0.4) response.writeHead(Math.random() < 0.5 ? 500 : 429).end();
      else {
        taken.push(text);
        response.writeHead(200).end();
      }
    });
    const name = newEndpoint();
    const states = Array.from({ length: 15 }, (_, n) => JSON.stringify({ n, streamState: n % 2 }));
    for (const body of states) await add({ url: endpoint.url, endpoint: name, entity: 'flapping', body });
    await expect.poll(() => taken.length, { timeout: 150_000, interval: 50 }).toBe(states.length);
    expect(taken).toEqual(states);
  }, 180_000);

  test('that is never there gets its last try within 5 days, and the tries follow the ladder [delivery-10 delivery-11]', async ({
    expect,
  }) => {
    const endpoint = receiver.at(reply(500));
    // One event alone: nothing else opens the circuit before its tenth try.
    const { id } = await add({ url: endpoint.url, endpoint: newEndpoint() });
    await expect.poll(() => stateOf(id), { timeout: 40_000, interval: 500 }).toBe('failed');
    const { attempts } = await fast.record(id);
    // Ten waits of the ladder and then 12 hours each, up to a fifth more: 7 or 8 of those fit into 5 days. A busy machine
    // adds to every wait.
    expect(attempts.length).toBeGreaterThanOrEqual(12);
    expect(attempts.length).toBeLessThanOrEqual(19);
    const times = attempts.map(({ begun }) => Date.parse(begun));
    const gaps = times.slice(1).map((time, n) => time - (times[n] ?? 0));
    const ladder = [1, 5, 30, 120, 600, 1800, 3600, 7200, 14_400, 28_800];
    // Never sooner than it says; milliseconds are cut off on both ends.
    for (const [n, gap] of gaps.entries())
      expect(gap + 2).toBeGreaterThanOrEqual(((ladder[n] ?? 43_200) * 1000) / FACTOR);
    expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeLessThanOrEqual(5 * DAY_MS + 1000);
  }, 180_000);

  test('is waited for as it asks, up to an hour [delivery-12]', async ({ expect }) => {
    let asked = 0;
    const at: number[] = [];
    const endpoint = receiver.at((response) => {
      at.push(Date.now());
      asked += 1;
      response.writeHead(asked === 1 ? 503 : 200, { 'retry-after': '100000' }).end();
    });
    await add({ url: endpoint.url, endpoint: newEndpoint() });
    await expect.poll(() => at.length, SOON).toBe(2);
    const waited = (at[1] ?? 0) - (at[0] ?? 0);
    // An hour is 180 ms, and 100,000 s are 5 s. The machine may be busy for a while.
    expect(waited).toBeGreaterThanOrEqual(175);
    expect(waited).toBeLessThan(4900);
  });
});

describe.concurrent('suspension', () => {
  test('by 410 of a configured endpoint: the delivery ends, the operator is told, and a resumed one gets what was kept [delivery-13]', async ({
    expect,
  }) => {
    let isGone = true;
    const endpoint = receiver.at((response) => response.writeHead(isGone ? 410 : 200).end());
    const name = newEndpoint();
    const { id } = await add({ url: endpoint.url, endpoint: name });
    await expect.poll(() => stateOf(id), SOON).toBe('failed');
    await expect.poll(() => endpointState(name), SOON).toBe('suspended');
    const notices = await fast.deployment.run('deliveries', 'notices', '--json');
    expect(notices).toContain('410');
    isGone = false;
    const kept = await add({ url: endpoint.url, endpoint: name });
    await sleep(500);
    expect(endpoint.requests).toHaveLength(1);
    await fast.resume(name);
    await expect.poll(() => stateOf(kept.id), SOON).toBe('delivered');
  }, 180_000);

  test('is not for URLs that were given with a call [delivery-16]', async ({ expect }) => {
    const other = receiver.at(reply(410));
    const { id } = await add({ url: other.url });
    await expect.poll(() => stateOf(id), SOON).toBe('failed');
    const next = receiver.at(json({}));
    const second = await add({ url: next.url });
    await expect.poll(() => stateOf(second.id), SOON).toBe('delivered');
    expect(await endpointState(new URL(other.url).origin)).toBe('closed');
  }, 180_000);
});
