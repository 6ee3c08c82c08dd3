import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { etagOf, Fault } from '@millpond/protocol';
import { describe, expect, test } from 'vitest';
import { nodeHashing } from '../../../platform/hashing.ts';
import { Intake } from './intake.ts';

const MIB = 1024 * 1024;

describe('what has passed', () => {
  test('size, hash, sum and first bytes are those of the whole, whatever the chunks', () => {
    const content = randomBytes(9 * MIB + 5);
    for (const step of [1, 4095, 65_536, 4 * MIB, 10 * MIB]) {
      // Byte by byte only as far as the first bytes are kept.
      const bytes = step === 1 ? content.subarray(0, 5000) : content;
      const intake = new Intake(Number.MAX_SAFE_INTEGER);
      for (let at = 0; at < bytes.length; at += step) intake.take(bytes.subarray(at, at + step));
      const received = intake.finish();
      expect(received).toMatchObject({
        size: bytes.length,
        hash: etagOf(nodeHashing, bytes),
        crc32: crc32(bytes),
      });
      expect(Buffer.from(received.head).equals(bytes.subarray(0, 4096))).toBe(true);
    }
  });

  test('nothing has size 0, the hash of nothing, sum 0 and no first bytes', () => {
    expect(new Intake(0).finish()).toEqual({
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
    const intake = new Intake(10);
    intake.take(Buffer.alloc(10));
    expect(faultOf(() => intake.take(Buffer.alloc(1)))).toBe('tooLarge');
  });

  test('a limit can be lowered, also below what has passed, and never raised', () => {
    const intake = new Intake(10);
    intake.take(Buffer.alloc(5));
    expect(faultOf(() => intake.lowerLimit(100))).toBeUndefined();
    expect(faultOf(() => intake.lowerLimit(5))).toBeUndefined();
    expect(faultOf(() => intake.take(Buffer.alloc(1)))).toBe('tooLarge');
    expect(faultOf(() => new Intake(10).lowerLimit(0))).toBeUndefined();
    const late = new Intake(10);
    late.take(Buffer.alloc(5));
    expect(faultOf(() => late.lowerLimit(4))).toBe('tooLarge');
  });
});
