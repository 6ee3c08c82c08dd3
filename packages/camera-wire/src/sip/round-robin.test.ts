import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { RoundRobin } from './round-robin.ts';

function worker(name: string, things: number, done: string[]) {
  let left = things;
  return {
    work() {
      done.push(name);
      left -= 1;
      return left > 0;
    },
  };
}

test('each does one thing at a time, and after sixteen of them the loop goes on', async () => {
  const roundRobin = new RoundRobin();
  const done: string[] = [];
  roundRobin.schedule(worker('a', 1000, done));
  roundRobin.schedule(worker('b', 3, done));
  const c = worker('c', 1, done);
  roundRobin.schedule(c);
  roundRobin.schedule(c);
  expect(done).toEqual([]);
  await turn();
  expect(done.join('')).toBe(`abcabab${'a'.repeat(9)}`);
  await turn();
  expect(done).toHaveLength(32);
  roundRobin.close();
  await turn();
  await turn();
  expect(done).toHaveLength(32);
});
