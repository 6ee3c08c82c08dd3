import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FlvReader, type FlvTag } from './flv-reader.ts';

const HEAD = Buffer.from('464c5601050000000900000000', 'hex');

function written({ type, time, payload }: FlvTag): Buffer {
  const head = Buffer.alloc(11);
  head.writeUInt8(type, 0);
  head.writeUIntBE(payload.length, 1, 3);
  head.writeUIntBE(time % 2 ** 24, 4, 3);
  head.writeUInt8(Math.floor(time / 2 ** 24), 7);
  return Buffer.concat([head, payload, Buffer.alloc(4)]);
}

const tags = fc.array(
  fc.record({
    type: fc.constantFrom(8, 9, 18),
    time: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
    payload: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
  }),
  { maxLength: 10 },
);

test('a stream is cut into tags wherever its bytes are cut', () => {
  fc.assert(
    fc.property(tags, fc.array(fc.integer({ min: 1, max: 97 }), { minLength: 1 }), (all, sizes) => {
      const whole = Buffer.concat([HEAD, ...all.map(written)]);
      const reader = new FlvReader();
      const found: FlvTag[] = [];
      for (let at = 0, turn = 0; at < whole.length; turn++) {
        const size = sizes[turn % sizes.length] ?? 1;
        found.push(...reader.add(whole.subarray(at, at + size)));
        at += size;
      }
      expect(found).toEqual(all);
      expect(reader.heldBytes).toBe(0);
    }),
  );
});

test('what is no FLV, and a tag larger than any frame, is refused', () => {
  expect(() => new FlvReader().add(Buffer.alloc(20))).toThrow('not FLV');
  const large = Buffer.from('09ffffff00000000000000', 'hex');
  expect(() => new FlvReader().add(Buffer.concat([HEAD, large]))).toThrow('too large');
});
