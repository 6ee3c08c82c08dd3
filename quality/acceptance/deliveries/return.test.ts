/** Receivers that fail for a while, in a deployment for which a day passes in minutes: enough for a busy machine. */
import { testRandom } from '@millpond/testing';
import { describe, expect, test } from 'vitest';
import { newEndpoint, useFastTime } from '../support/receivers/events.ts';
import { type Received, reset, useReceiver } from '../support/receivers/receiver.ts';

// Five minutes, the longest wait for a probe, are 0.6 s; the fifth day, after which tries end, is three minutes.
const FACTOR = 500;
const DAY_S = 86_400 / FACTOR;
const receiver = useReceiver();
const fast = useFastTime(FACTOR);
const SOON = { timeout: 300_000, interval: 50 };

const endpointState = async (name: string) => (await fast.endpoint(name))?.state;
const sequences = (requests: readonly Received[], entity: string) =>
  requests
    .filter(({ headers }) => headers['x-svc-entity'] === entity)
    .map(({ headers }) => Number(headers['x-svc-sequence']));

describe('a receiver', () => {
  test('down for 4 days gets everything after its return, in order per entity and not all at once [delivery-17 delivery-20 delivery-22]', async () => {
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
    const [entities, events] = [10, 20];
    const { uid } = fast.account;
    await fast.producer.addAll(
      Array.from({ length: entities * events }, (_, n) => ({
        uid,
        url: endpoint.url,
        endpoint: name,
        entity: `cam${n % entities}`,
      })),
    );
    await expect.poll(() => endpointState(name), SOON).toMatch(/open/);
    await fast.producer.passSeconds(4 * DAY_S);
    isDown = false;
    await expect.poll(() => taken.length, SOON).toBe(entities * events);
    const inOrder = Array.from({ length: events }, (_, n) => n + 1);
    for (let entity = 0; entity < entities; entity++)
      expect(sequences(taken, `cam${entity}`)).toEqual(inOrder);
    // As many at a time as an endpoint may have, which it works up to.
    expect(most).toBeLessThanOrEqual(32);
    await expect.poll(() => endpointState(name), SOON).toBe('closed');
  });

  test('that fails while a camera flaps is told its true last state last [G43 delivery-20]', async () => {
    const taken: string[] = [];
    const random = testRandom();
    const endpoint = receiver.at((response, { text }) => {
      if (random.next() < 0.4) response.writeHead(random.next() < 0.5 ? 500 : 429).end();
      else {
        taken.push(text);
        response.writeHead(200).end();
      }
    });
    const name = newEndpoint();
    const { uid } = fast.account;
    const states = Array.from({ length: 15 }, (_, n) => JSON.stringify({ n, streamState: n % 2 }));
    for (const body of states)
      await fast.producer.add({ uid, url: endpoint.url, endpoint: name, entity: 'flapping', body });
    await expect.poll(() => taken.length, SOON).toBe(states.length);
    expect(taken).toEqual(states);
  });
});
