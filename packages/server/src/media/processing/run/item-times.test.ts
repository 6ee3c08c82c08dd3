/** What an item says of its stages. */
import { describe, expect, test } from 'vitest';
import type { TaskItem } from '../task.ts';
import { ItemTimes } from './item-times.ts';

const ITEM: TaskItem = { cmd: 'avthumb/mp4', code: 0, error: '', returnOld: 0 };

/** A clock that a test moves. */
function times() {
  const clock = { at: 0, now: () => clock.at };
  return { clock, times: new ItemTimes(clock) };
}

const shown = (item: TaskItem) => item.stages?.map(({ name, ms, words }) => [name, ms, words]);

describe('stages', () => {
  test('follow each other, and what was interrupted goes on', async () => {
    const { clock, times: item } = times();
    clock.at = 5;
    item.enter('run', 'avthumb');
    await item.within('fetch', async () => {
      clock.at = 105;
    });
    clock.at = 110;
    await item.within('probe', async () => {
      clock.at = 130;
    });
    clock.at = 1130;
    item.enter('store');
    clock.at = 1150;
    const ended = item.ended(ITEM);
    // The command began with the fetch, which is why it has no line before it.
    expect(shown(ended)).toEqual([
      ['look', 5, undefined],
      ['fetch', 100, undefined],
      ['run', 5, 'avthumb'],
      ['probe', 20, undefined],
      ['run', 1000, 'avthumb'],
      ['store', 20, undefined],
    ]);
    expect(ended).toMatchObject({ begun: '1970-01-01T00:00:00.000Z', ended: '1970-01-01T00:00:01.150Z' });
  });

  test('of the same kind, one right after the other, are one', async () => {
    const { clock, times: item } = times();
    item.enter('run', 'concat');
    for (let n = 1; n <= 100; n++)
      await item.within('fetch', async () => {
        clock.at = 10 * n;
      });
    expect(shown(item.ended(ITEM))).toEqual([['fetch', 1000, undefined]]);
  });

  test('are no more than a record can hold', () => {
    const { clock, times: item } = times();
    for (let n = 0; n < 1000; n++) {
      clock.at += 10;
      item.enter(n % 2 === 0 ? 'fetch' : 'probe');
    }
    expect(item.stages().length).toBeLessThanOrEqual(40);
  });

  test('are left as they were where the command fails', async () => {
    const { clock, times: item } = times();
    item.enter('run', 'avthumb');
    const failing = item.within('probe', async () => {
      clock.at = 30;
      throw new Error('not a media file');
    });
    await expect(failing).rejects.toThrow('not a media file');
    expect(shown(item.ended(ITEM))).toEqual([['probe', 30, undefined]]);
  });
});
