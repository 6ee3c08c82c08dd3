import { expect, test } from 'vitest';
import { createGate, TooManyWaiting } from './gate.ts';

const never = new AbortController().signal;

test('so many enter, so many wait, the next is turned away; who leaves lets the first in line enter', async () => {
  const gate = createGate(1, 2);
  const order: string[] = [];
  const first = await gate.enter(never);
  const enterAs = async (name: string): Promise<() => void> => {
    const leave = await gate.enter(never);
    order.push(name);
    return leave;
  };
  const second = enterAs('second');
  const third = enterAs('third');
  await expect(gate.enter(never)).rejects.toThrow(TooManyWaiting);
  first();
  (await second)();
  (await third)();
  expect(order).toEqual(['second', 'third']);
  expect(await gate.enter(never)).toBeTypeOf('function');
});

test('leaving twice frees one place only', async () => {
  const gate = createGate(1, 0);
  const leave = await gate.enter(never);
  leave();
  leave();
  expect(await gate.enter(never)).toBeTypeOf('function');
  await expect(gate.enter(never)).rejects.toThrow(TooManyWaiting);
});

test('who gives up waiting loses the place in line and takes none', async () => {
  const gate = createGate(1, 1);
  const leave = await gate.enter(never);
  const patience = new AbortController();
  const waiting = gate.enter(patience.signal);
  patience.abort(new Error('late'));
  await expect(waiting).rejects.toThrow('late');
  const next = gate.enter(never);
  leave();
  expect(await next).toBeTypeOf('function');
  await expect(gate.enter(AbortSignal.abort(new Error('too late')))).rejects.toThrow('too late');
});
