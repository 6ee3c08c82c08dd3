import { Fault } from '@millpond/protocol';
import { expect, test } from 'vitest';
import { KeyedSemaphore } from './keyed-semaphore.ts';

const never = new AbortController().signal;
const HINT = { hint: 'too many' };
const LONG = { waiting: 100, waitMs: 60_000, ...HINT };

test('no more at once than allowed, under each name, and all get their turn in order', async () => {
  const slots = new KeyedSemaphore({ atOnce: 3, ...LONG });
  const order: number[] = [];
  let [running, most] = [0, 0];
  await Promise.all(
    Array.from({ length: 20 }, async (_, number) => {
      const giveBack = await slots.acquire('a', never);
      running += 1;
      most = Math.max(most, running);
      order.push(number);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      giveBack();
    }),
  );
  expect(most).toBe(3);
  expect(order).toEqual(Array.from({ length: 20 }, (_, number) => number));
});

test('one name does not wait for another', async () => {
  const slots = new KeyedSemaphore({ atOnce: 1, ...LONG });
  await slots.acquire('a', never);
  await slots.acquire('b', never);
});

test('too many who wait, and who waits too long, are turned away', async () => {
  const slots = new KeyedSemaphore({ atOnce: 1, waiting: 1, waitMs: 20, ...HINT });
  const giveBack = await slots.acquire('a', never);
  const [waits, tooMany] = [slots.acquire('a', never), slots.acquire('a', never)];
  for (const refused of [tooMany, waits])
    await expect(refused).rejects.toSatisfy((error) => error instanceof Fault && error.status === 573);
  giveBack();
  await slots.acquire('a', never);
});

test('who leaves the line takes nobody’s turn', async () => {
  const slots = new KeyedSemaphore({ atOnce: 1, ...LONG });
  const giveBack = await slots.acquire('a', never);
  const leaving = new AbortController();
  const [left, stays] = [slots.acquire('a', leaving.signal), slots.acquire('a', never)];
  leaving.abort(new Error('gone'));
  await expect(left).rejects.toThrow('gone');
  giveBack();
  (await stays)();
  await slots.acquire('a', never);
});

test('who has left before does not stand in line', async () => {
  const slots = new KeyedSemaphore({ atOnce: 1, ...LONG });
  await slots.acquire('a', never);
  await expect(slots.acquire('a', AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
});
