import { testRandom } from '@millpond/testing';
import { describe, expect, test } from 'vitest';
import { useDatabases } from '../../../../test/databases.ts';
import { bodyOf, ok, SOON, startEventReceiver, status, useSenders } from '../deliveries.testing.ts';

const databases = useDatabases();
const tests = useSenders(databases);

describe('a lane', () => {
  const numbers = (entity: string) =>
    tests.receiver.received
      .filter((event) => event.headers['x-svc-entity'] === entity)
      .map((event) => Number(event.headers['x-svc-sequence']));

  test('keeps its order through failing tries, with two senders and many lanes; the last state told is the true one [G43 delivery-20 delivery-22]', async () => {
    const taken = new Map<string, number[]>();
    const random = testRandom();
    tests.receiver.answer = (event, response) => {
      if (random.next() < 0.4) {
        if (random.next() < 0.5) response.destroy();
        else response.writeHead(500).end();
        return;
      }
      const entity = String(event.headers['x-svc-entity']);
      taken.set(entity, [...(taken.get(entity) ?? []), Number(event.headers['x-svc-sequence'])]);
      response.writeHead(200).end();
    };
    tests.start({ timeFactor: 1000 });
    tests.start({ timeFactor: 1000 });
    const [lanes, events] = [8, 12];
    for (let n = 0; n < events; n++)
      await Promise.all(
        Array.from({ length: lanes }, (_, lane) =>
          tests.add({ entity: `cam${lane}`, ...bodyOf(`${n % 2}`) }),
        ),
      );
    const all = Array.from({ length: events }, (_, n) => n + 1);
    await expect
      .poll(() => [...taken.values()].map((each) => each.length), SOON)
      .toEqual(Array.from({ length: lanes }, () => events));
    for (const lane of taken.values()) expect(lane).toEqual(all);
  });

  test('is held by a receiver that is away, and another lane is not [delivery-20]', async () => {
    const other = await startEventReceiver();
    tests.receiver.answer = status(503);
    tests.start({ timeFactor: 100 });
    for (let n = 0; n < 3; n++) await tests.add({ entity: 'held', ...bodyOf(`${n}`) });
    const { id } = await tests.add({ url: `${other.url}/x`, entity: 'free' });
    await expect.poll(() => tests.stateOf(id), SOON).toBe('delivered');
    await expect.poll(() => tests.receiver.received.length, SOON).toBeGreaterThan(2);
    expect(new Set(tests.told())).toEqual(new Set(['0']));
    tests.receiver.answer = ok;
    await expect.poll(() => new Set(tests.told()), SOON).toEqual(new Set(['0', '1', '2']));
    await other.close();
  });

  test('is delayed by an event that is always refused for three tries, not for days [delivery-21]', async () => {
    tests.receiver.answer = (event, response) => response.writeHead(event.body === 'bad' ? 400 : 200).end();
    tests.start({ timeFactor: 10 });
    const { id } = await tests.add({ entity: 'cam', ...bodyOf('bad') });
    for (let n = 1; n <= 3; n++) await tests.add({ entity: 'cam', ...bodyOf(`good ${n}`) });
    await expect
      .poll(() => tests.told().filter((body) => body !== 'bad'), SOON)
      .toEqual(['good 1', 'good 2', 'good 3']);
    expect(tests.told().slice(0, 4)).toEqual(['bad', 'bad', 'bad', 'good 1']);
    // It goes on by itself.
    expect(await tests.stateOf(id)).toBe('waiting');
    await expect.poll(() => tests.told().filter((body) => body === 'bad').length, SOON).toBeGreaterThan(3);
    expect(numbers('cam').slice(0, 4)).toEqual([1, 1, 1, 2]);
  });
});
