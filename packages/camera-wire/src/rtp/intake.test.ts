import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type NegotiatedSource, RtpFilter, type Source } from './intake.ts';

const CAMERA: Source = { address: '192.0.2.1', port: 6000 };
const AGREED: NegotiatedSource = {
  addresses: [CAMERA.address],
  announced: CAMERA,
  ssrc: 200_001_234,
  payloadType: 96,
};

function packet(first: number, second: number, sequence: number, ssrc: number, rest: Uint8Array): Buffer {
  const head = Buffer.alloc(12);
  head.set([first, second]);
  head.writeUInt16BE(sequence % 65_536, 2);
  head.writeUInt32BE(ssrc, 8);
  return Buffer.concat([head, rest]);
}

const bytes = fc.uint8Array({ maxLength: 60 });
const numbers = fc.nat(65_535);
const ssrcs = fc.nat(2 ** 32 - 1).filter((ssrc) => ssrc !== AGREED.ssrc);
const strangers = fc.record({
  address: fc.constantFrom(CAMERA.address, '192.0.2.2', '::1'),
  port: fc.integer({ min: 1, max: 5999 }),
});
const anywhere = fc.oneof(strangers, fc.constant(CAMERA));
/** What is no packet of the session, and where it comes from. */
const hostile = fc.oneof(
  fc.tuple(
    strangers,
    fc.tuple(numbers, bytes).map(([at, rest]) => packet(0x80, 96, at, AGREED.ssrc, rest)),
  ),
  fc.tuple(
    anywhere,
    fc.tuple(numbers, ssrcs, bytes).map(([at, ssrc, rest]) => packet(0x80, 96, at, ssrc, rest)),
  ),
  // Reports of RTCP, and other kinds.
  fc.tuple(
    anywhere,
    fc
      .tuple(
        fc.nat(255).filter((kind) => kind % 128 !== 96),
        bytes,
      )
      .map(([kind, rest]) => packet(0x80, kind, 1, AGREED.ssrc, rest)),
  ),
  fc.tuple(
    anywhere,
    fc
      .tuple(fc.constantFrom(0, 0x40, 0xc0), bytes)
      .map(([version, rest]) => packet(version, 96, 1, AGREED.ssrc, rest)),
  ),
  // More sources, extension or padding than there are bytes, and none at all.
  fc.tuple(
    anywhere,
    fc
      .constantFrom([0x8f, 59], [0x81, 3], [0x90, 3], [0x80, 0])
      .map(([first = 0, count = 0]) => packet(first, 96, 1, AGREED.ssrc, new Uint8Array(count))),
  ),
  fc.tuple(
    anywhere,
    fc
      .constantFrom([0xff, 0xff, 0xff, 0xff], [1, 2, 3, 255], [1, 2, 3, 4])
      .map((rest) => packet(0xb0, 96, 1, AGREED.ssrc, Uint8Array.from(rest))),
  ),
  fc.tuple(
    anywhere,
    fc
      .constantFrom([255], [0], [1, 2])
      .map((rest) => packet(0xa0, 96, 1, AGREED.ssrc, Uint8Array.from(rest.length === 2 ? [9, 3] : rest))),
  ),
  fc.tuple(
    anywhere,
    fc.uint8Array({ maxLength: 11 }).map((short) => Buffer.from(short)),
  ),
);

test('whatever else comes to the port, the camera’s packets pass, all, once and in order', () => {
  fc.assert(
    fc.property(fc.array(hostile, { maxLength: 300 }), numbers, (others, first) => {
      const taken: number[] = [];
      const rtpFilter = new RtpFilter((payload) => taken.push(payload.readUInt16BE(0)));
      rtpFilter.take(packet(0x80, 96, 1, AGREED.ssrc, Buffer.from('early')), CAMERA);
      rtpFilter.expect(AGREED);
      const send = (number: number) => {
        const payload = Buffer.alloc(2);
        payload.writeUInt16BE(number);
        expect(rtpFilter.take(packet(0x80, 96, first + number, AGREED.ssrc, payload), CAMERA)).toBe(true);
      };
      send(0);
      for (const [at, [from, other]] of others.entries()) {
        expect(rtpFilter.take(other, from)).toBe(false);
        send(at + 1);
      }
      expect(taken).toEqual(Array.from({ length: others.length + 1 }, (_, number) => number));
      expect(rtpFilter.counts).toEqual({
        packets: taken.length,
        foreign: others.length + 1,
        lost: 0,
        late: 0,
      });
    }),
  );
});
