/** The longest wait of all, nineteen days, in a deployment for which they pass in 17 seconds. */
import { expect, test } from 'vitest';
import { newEndpoint, useFastTime } from '../support/receivers/events.ts';
import { reply, useReceiver } from '../support/receivers/receiver.ts';

// Five days are 4.3 s, fourteen 12.1 s, an hour 36 ms.
const FACTOR = 100_000;
const DAY_MS = 86_400_000 / FACTOR;
/** What two clocks of one machine may differ by. */
const CLOCKS_MS = 50;
const receiver = useReceiver();
const fast = useFastTime(FACTOR);

test('an endpoint with 5 days of nothing but failures is suspended; its events are kept 14 days [delivery-14 delivery-15]', async () => {
  const endpoint = receiver.at(reply(500));
  const name = newEndpoint();
  const add = () => fast.producer.add({ uid: fast.account.uid, url: endpoint.url, endpoint: name });
  const stateOfNext = async () => {
    await add();
    return (await fast.endpoint(name))?.state;
  };
  const begun = Date.now();
  await expect.poll(stateOfNext, { timeout: 300_000, interval: 200 }).toBe('suspended');
  expect(Date.now() - begun).toBeGreaterThan(5 * DAY_MS - CLOCKS_MS);
  expect(await fast.deployment.run('deliveries', 'notices', '--json')).toContain('5 days');
  const before = endpoint.requests.length;
  const made = Date.now();
  const { id } = await add();
  const stateOfIt = async () => (await fast.record(id)).state;
  await expect.poll(stateOfIt, { timeout: 300_000, interval: 100 }).toBe('failed');
  expect(Date.now() - made).toBeGreaterThan(14 * DAY_MS - CLOCKS_MS);
  expect(endpoint.requests).toHaveLength(before);
});
