/** What takes days, in a deployment for which they pass in seconds; most of a test is waiting, so all run at once. */
import { describe, test } from 'vitest';
import { newEndpoint, useFastTime } from '../support/receivers/events.ts';
import { json, reply, useReceiver } from '../support/receivers/receiver.ts';

// Five days are 21.6 s, twelve hours 2.2 s, five minutes 15 ms.
const FACTOR = 20_000;
const DAY_MS = 86_400_000 / FACTOR;
const receiver = useReceiver();
const fast = useFastTime(FACTOR);
const SOON = { timeout: 300_000, interval: 50 };

const add = (event: { url: string; endpoint?: string; entity?: string; body?: string }) =>
  fast.producer.add({ uid: fast.account.uid, ...event });
const stateOf = async (id: string) => (await fast.record(id)).state;
const endpointState = async (name: string) => (await fast.endpoint(name))?.state;

describe.concurrent('a receiver', () => {
  test('that is never there gets its last try within 5 days, and the tries follow the schedule [delivery-10 delivery-11]', async ({
    expect,
  }) => {
    const endpoint = receiver.at(reply(500));
    // One event alone: nothing else opens the circuit before its tenth try.
    const { id } = await add({ url: endpoint.url, endpoint: newEndpoint() });
    await expect.poll(() => stateOf(id), { timeout: 300_000, interval: 500 }).toBe('failed');
    const { attempts } = await fast.record(id);
    // Ten waits of the schedule and then 12 hours each, up to a fifth more: 7 or 8 of those fit into 5 days. A busy machine
    // adds to every wait.
    expect(attempts.length).toBeGreaterThanOrEqual(11);
    expect(attempts.length).toBeLessThanOrEqual(19);
    const times = attempts.map(({ begun }) => Date.parse(begun));
    const gaps = times.slice(1).map((time, n) => time - (times[n] ?? 0));
    const schedule = [1, 5, 30, 120, 600, 1800, 3600, 7200, 14_400, 28_800];
    // Never sooner than it says; milliseconds are cut off on both ends.
    for (const [n, gap] of gaps.entries())
      expect(gap + 2).toBeGreaterThanOrEqual(((schedule[n] ?? 43_200) * 1000) / FACTOR);
    // The last was decided on within them, when the one before it had failed.
    expect((times.at(-2) ?? 0) - (times[0] ?? 0)).toBeLessThanOrEqual(5 * DAY_MS);
  }, 180_000);

  test('is waited for as it asks, up to an hour [delivery-12]', async ({ expect }) => {
    let asked = 0;
    const at: number[] = [];
    const endpoint = receiver.at((response) => {
      at.push(Date.now());
      asked += 1;
      response.writeHead(asked === 1 ? 503 : 200, { 'retry-after': '100000000' }).end();
    });
    await add({ url: endpoint.url, endpoint: newEndpoint() });
    await expect.poll(() => at.length, SOON).toBe(2);
    const waited = (at[1] ?? 0) - (at[0] ?? 0);
    // An hour is 180 ms; what it asks for, three years, would be more than an hour of ours.
    expect(waited).toBeGreaterThanOrEqual(175);
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
    // What is added behind it goes out.
    const behind = await add({ url: receiver.at(json({})).url, endpoint: newEndpoint() });
    await expect.poll(() => stateOf(behind.id), SOON).toBe('delivered');
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
