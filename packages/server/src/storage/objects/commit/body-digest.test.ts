import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { etagOf, Fault } from '@millpond/protocol';
import { describe, expect, test } from 'vitest';
import { nodeHashing } from '../../../platform/hashing.ts';
import { BodyDigest } from './body-digest.ts';

const MIB = 1024 * 1024;

describe('what has passed', () => {
  test('size, hash, sum and first bytes are those of the whole, whatever the chunks', () => {
    const content = randomBytes(9 * MIB + 5);
    for (const step of [1, 4095, 65_536, 4 * MIB, 10 * MIB]) {
      // Byte by byte only as far as the first bytes are kept.
      const bytes = step === 1 ? content.subarray(0, 5000) : content;
      const digest = new BodyDigest(Number.MAX_SAFE_INTEGER);
      for (let at = 0; at < bytes.length; at += step) digest.update(bytes.subarray(at, at + step));
      const digestedBody = digest.finish();
      expect(digestedBody).toMatchObject({
        size: bytes.length,
        hash: etagOf(nodeHashing, bytes),
        crc32: crc32(bytes),
      });
      expect(Buffer.from(digestedBody.head).equals(bytes.subarray(0, 4096))).toBe(true);
    }
  });

  test('nothing has size 0, the hash of nothing, sum 0 and no first bytes', () => {
    expect(new BodyDigest(0).finish()).toEqual({
      size: 0,
      hash: 'Fto5o-5ea0sNMlW_75VgGJCv2AcJ',
      crc32: 0,
      head: Buffer.alloc(0),
    });
  });
});

describe('limits', () => {
  const faultOf = (work: () => void) => {
    try {
      work();
      return undefined;
    } catch (error) {
      return error instanceof Fault ? error.fault : error;
    }
  };

  test('as many bytes as allowed pass, one more does not', () => {
    const digest = new BodyDigest(10);
    digest.update(Buffer.alloc(10));
    expect(faultOf(() => digest.update(Buffer.alloc(1)))).toBe('tooLarge');
  });

  test('a limit can be lowered, also below what has passed, and never raised', () => {
    const digest = new BodyDigest(10);
    digest.update(Buffer.alloc(5));
    expect(faultOf(() => digest.lowerLimit(100))).toBeUndefined();
    expect(faultOf(() => digest.lowerLimit(5))).toBeUndefined();
    expect(faultOf(() => digest.update(Buffer.alloc(1)))).toBe('tooLarge');
    expect(faultOf(() => new BodyDigest(10).lowerLimit(0))).toBeUndefined();
    const late = new BodyDigest(10);
    late.update(Buffer.alloc(5));
    expect(faultOf(() => late.lowerLimit(4))).toBe('tooLarge');
  });
});
