import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseRtp } from './packet.ts';

interface PacketFields {
  readonly payloadType: number;
  readonly sequence: number;
  readonly ssrc: number;
  readonly payload: Uint8Array;
  readonly sources: number;
  /** Words of an extension; undefined: none. */
  readonly extension: number | undefined;
  readonly padding: number;
}

function write({ payloadType, sequence, ssrc, payload, sources, extension, padding }: PacketFields): Buffer {
  const head = Buffer.alloc(12 + 4 * sources);
  head.writeUInt8(0x80 | (padding > 0 ? 0x20 : 0) | (extension === undefined ? 0 : 0x10) | sources, 0);
  head.writeUInt8(payloadType | 0x80, 1);
  head.writeUInt16BE(sequence, 2);
  head.writeUInt32BE(ssrc, 8);
  const more = Buffer.alloc(extension === undefined ? 0 : 4 + 4 * extension);
  if (extension !== undefined) more.writeUInt16BE(extension, 2);
  const tail = Buffer.alloc(padding, padding);
  return Buffer.concat([head, more, payload, tail]);
}

const written: fc.Arbitrary<PacketFields> = fc.record({
  payloadType: fc.integer({ min: 0, max: 127 }),
  sequence: fc.integer({ min: 0, max: 65_535 }),
  ssrc: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
  payload: fc.uint8Array({ minLength: 1, maxLength: 200 }),
  sources: fc.integer({ min: 0, max: 15 }),
  extension: fc.option(fc.integer({ min: 0, max: 20 }), { nil: undefined }),
  padding: fc.integer({ min: 0, max: 40 }),
});

describe('a packet', () => {
  test('is read as it was written', () => {
    fc.assert(
      fc.property(written, (packet) => {
        const { payloadType, sequence, ssrc, payload } = packet;
        const read = parseRtp(write(packet));
        expect(read).toEqual({ payloadType, sequence, ssrc, payload: Buffer.from(payload) });
      }),
    );
  });

  test('that is cut off anywhere in its head is none', () => {
    fc.assert(
      fc.property(written, fc.nat(), (packet, cut) => {
        const bytes = write({ ...packet, padding: 0 });
        const head = bytes.length - packet.payload.length;
        expect(parseRtp(bytes.subarray(0, cut % (head + 1)))).toBeUndefined();
      }),
    );
  });

  test('of anything at all is none, or within its bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
        const packet = parseRtp(Buffer.from(bytes));
        if (packet !== undefined) expect(packet.payload.length).toBeLessThanOrEqual(bytes.length - 12);
      }),
    );
  });

  test.each([
    ['another version', '40600001000000000000000141'],
    ['padding of no length', 'a0600001000000000000000100'],
    ['more padding than there is', 'a06000010000000000000001ff'],
    ['no payload', '806000010000000000000001'],
  ])('with %s is none', (_what, hex) => {
    expect(parseRtp(Buffer.from(hex, 'hex'))).toBeUndefined();
  });
});
