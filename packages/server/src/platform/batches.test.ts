import { Fault } from '@millpond/protocol';
import { describe, expect, test } from 'vitest';
import { Batches } from './batches.ts';
import { TooManyWaiting } from './gate.ts';

function open(work: (items: readonly string[]) => Promise<readonly string[]>, mostWaiting = 100) {
  const batches: string[][] = [];
  const opened = new Batches<string, string>({
    most: 3,
    mostWaiting,
    key: (item) => item[0],
    work(items) {
      batches.push([...items]);
      return work(items);
    },
  });
  return { opened, batches };
}
const echo = async (items: readonly string[]) => items.map((item) => `${item}!`);

describe('batches', () => {
  test('hold what waits together, so many at a time, and give each its own result', async () => {
    const { opened, batches } = open(echo);
    const results = await Promise.all(['a', 'b', 'c', 'd'].map((item) => opened.add(item)));
    expect(results).toEqual(['a!', 'b!', 'c!', 'd!']);
    expect(batches).toEqual([['a', 'b', 'c'], ['d']]);
  });

  test('never hold two of one key, whose order is kept', async () => {
    const { opened, batches } = open(echo);
    await Promise.all(['a1', 'a2', 'b1', 'a3'].map((item) => opened.add(item)));
    expect(batches).toEqual([['a1', 'b1'], ['a2'], ['a3']]);
  });

  test('turn away whoever is too many', async () => {
    const { opened } = open(echo, 2);
    const results = await Promise.allSettled(['a', 'b', 'c'].map((item) => opened.add(item)));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
    expect(results[2]).toMatchObject({ reason: expect.any(TooManyWaiting) });
  });

  test('fail together when the database is away, and alone when one value is refused', async () => {
    const away = open(() => Promise.reject(new Error('away')));
    const both = await Promise.allSettled([away.opened.add('a'), away.opened.add('b')]);
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    const picky = open((items) =>
      items.includes('bad')
        ? Promise.reject(new Fault('serverFailure', { cause: { code: '22021' } }))
        : echo(items),
    );
    const some = await Promise.allSettled(['a', 'bad', 'c'].map((item) => picky.opened.add(item)));
    expect(some.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    await picky.opened.idle();
    expect(await picky.opened.add('d')).toBe('d!');
  });
});
