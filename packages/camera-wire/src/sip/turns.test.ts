import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Turns } from './turns.ts';

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
  const turns = new Turns();
  const done: string[] = [];
  turns.want(worker('a', 1000, done));
  turns.want(worker('b', 3, done));
  const c = worker('c', 1, done);
  turns.want(c);
  turns.want(c);
  expect(done).toEqual([]);
  await turn();
  expect(done.join('')).toBe(`abcabab${'a'.repeat(9)}`);
  await turn();
  expect(done).toHaveLength(32);
  turns.close();
  await turn();
  await turn();
  expect(done).toHaveLength(32);
});
