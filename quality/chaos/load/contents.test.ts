import { etagOf } from '@millpond/protocol';
import { hashing } from '@millpond/testing';
import { describe, expect, test } from 'vitest';
import { createContents, KIB, MIB } from './contents.ts';

describe('contents', () => {
  test('have the size and the hash that they say', () => {
    const contents = createContents('seed');
    for (const size of [0, 1, 15, 16, 17, 4 * KIB, 5 * MIB]) {
      const content = contents.make(size);
      const whole = Buffer.concat(content.bytes);
      expect(whole.length).toBe(size);
      expect(content.hash).toBe(etagOf(hashing, whole));
    }
  });

  test('no two are alike, and a mixture of two has another hash than either', () => {
    const contents = createContents('seed');
    const made = Array.from({ length: 200 }, () => contents.make(4 * KIB));
    expect(new Set(made.map((content) => content.hash)).size).toBe(200);
    const [one, other] = made.map((content) => Buffer.concat(content.bytes));
    if (one === undefined || other === undefined) throw new Error('none made');
    for (let at = 512; at < 4 * KIB; at += 512) {
      const half = at + 512;
      expect(one.subarray(at, half).equals(other.subarray(at, half))).toBe(false);
      const mixed = Buffer.concat([one.subarray(0, at), other.subarray(at)]);
      expect(made.map((content) => content.hash)).not.toContain(etagOf(hashing, mixed));
    }
  });

  test('follow from the seed', () => {
    expect(createContents('a').make(100).hash).toBe(createContents('a').make(100).hash);
    expect(createContents('a').make(100).hash).not.toBe(createContents('b').make(100).hash);
  });
});
