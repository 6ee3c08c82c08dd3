import { Fault } from '@millpond/protocol';
import { expect, test } from 'vitest';
import { LargeCompletions } from './large-completions.ts';

const LARGE = 800_000;
const of = (tenant: bigint, bytes = LARGE) => ({ tenant, bytes, cancel: new AbortController().signal });

test('of twenty large completions few are read at a time, and others are served between them', async () => {
  const completions = new LargeCompletions();
  let [reading, most, served, ended] = [0, 0, 0, 0];
  const read = async () => {
    most = Math.max(most, ++reading);
    await new Promise((resolve) => setImmediate(resolve));
    reading--;
    ended++;
  };
  const serve = () => {
    served++;
    others = setImmediate(serve);
  };
  let others = setImmediate(serve);
  await Promise.all(Array.from({ length: 20 }, () => completions.inTurn(of(1n), read)));
  clearImmediate(others);
  expect({ most, ended }).toEqual({ most: 2, ended: 20 });
  expect(served).toBeGreaterThan(0);
});

test('a tenant with many of them does not keep another waiting behind all of them', async () => {
  const completions = new LargeCompletions();
  const order: bigint[] = [];
  const run = (tenant: bigint) =>
    completions.inTurn(of(tenant), async () => {
      await new Promise((resolve) => setImmediate(resolve));
      order.push(tenant);
    });
  await Promise.all([...Array.from({ length: 10 }, () => run(1n)), run(2n)]);
  expect(order.indexOf(2n)).toBeLessThan(5);
});

test('a small completion waits for none of them', async () => {
  const completions = new LargeCompletions();
  const { promise, resolve } = Promise.withResolvers<void>();
  const large = [completions.inTurn(of(1n), () => promise), completions.inTurn(of(1n), () => promise)];
  expect(await completions.inTurn(of(1n, 2_000), async () => 'read')).toBe('read');
  resolve();
  await Promise.all(large);
});

test('more than may wait are refused, with what to do', async () => {
  const completions = new LargeCompletions();
  const { promise, resolve } = Promise.withResolvers<void>();
  const all = Array.from({ length: 100 }, () => completions.inTurn(of(1n), () => promise).catch(String));
  await expect(completions.inTurn(of(1n), () => promise)).rejects.toThrow(Fault);
  resolve();
  expect((await Promise.all(all)).filter((error) => error !== undefined)).toHaveLength(34);
});
