import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseUnfinishedUpload, storageJournal } from './journal.ts';
import { partSizeFor, runPool } from './multipart-upload.ts';

const MIB = 1024 * 1024;

describe('journals', () => {
  test('what was written is read, and nothing else is believed', () => {
    const upload = { uploadId: '01900000-aaaa', expireAt: 2_000_000_000, partSize: 4 * MIB };
    expect(parseUnfinishedUpload(JSON.stringify(upload))).toEqual(upload);
    for (const bad of ['', '{}', 'null', '{"uploadId":"../x","expireAt":1,"partSize":1}'])
      expect(parseUnfinishedUpload(bad)).toBeUndefined();
    fc.assert(
      fc.property(fc.json(), (text) => {
        parseUnfinishedUpload(text);
      }),
    );
  });

  test('a storage that refuses costs the resuming, not the upload', async () => {
    const refuse = () => {
      throw new Error('the storage is full');
    };
    const journal = storageJournal({ getItem: refuse, setItem: refuse, removeItem: refuse });
    await journal.set('a', { uploadId: 'u', expireAt: 1, partSize: 1 });
    expect(await journal.get('a')).toBeUndefined();
    await journal.remove('a');
  });
});

describe('part sizes', () => {
  test.each([
    [5 * MIB, undefined, 4 * MIB],
    [40_000 * MIB, undefined, 4 * MIB],
    [40_001 * MIB, undefined, 8 * MIB],
    [5 * MIB, 2 * MIB, 2 * MIB],
  ])('of %i bytes, asked %s: %i', (size, asked, expected) => expect(partSizeFor(size, asked)).toBe(expected));

  test('are refused where they can’t be', () => {
    expect(() => partSizeFor(5 * MIB, 1000)).toThrow(/1 MiB to 1 GiB/);
    expect(() => partSizeFor(20_000 * MIB, MIB)).toThrow(/more than 10000 parts/);
  });
});

describe('pools', () => {
  test('do all, so many at a time', async () => {
    let [now, most] = [0, 0];
    const done: number[] = [];
    await runPool(20, 3, undefined, async (index) => {
      most = Math.max(most, ++now);
      await new Promise((resolve) => setTimeout(resolve, 1));
      now--;
      done.push(index);
    });
    expect([most, done.toSorted((a, b) => a - b)]).toEqual([
      3,
      Array.from({ length: 20 }, (_, index) => index),
    ]);
  });

  test('stop at the first failure, and throw it when all have ended', async () => {
    let begun = 0;
    const failing = runPool(100, 2, undefined, async (index) => {
      begun++;
      await new Promise((resolve) => setTimeout(resolve, 1));
      if (index === 1) throw new Error('this one');
    });
    await expect(failing).rejects.toThrow('this one');
    expect(begun).toBeLessThan(10);
  });
});
