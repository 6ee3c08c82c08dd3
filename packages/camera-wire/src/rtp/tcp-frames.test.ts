import { byteWork } from '@millpond/base/testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TcpFrames } from './receiver.ts';

test('a connection is cut into packets wherever its bytes are cut, and no more than one is held', () => {
  const packets = fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 10 });
  fc.assert(
    fc.property(packets, fc.array(fc.integer({ min: 1, max: 97 }), { minLength: 1 }), (all, sizes) => {
      const whole = Buffer.concat(
        all.flatMap((packet) => [Buffer.of(packet.length >> 8, packet.length & 0xff), packet]),
      );
      const frames = new TcpFrames();
      const found: Buffer[] = [];
      for (let at = 0, turn = 0; at < whole.length; turn++) {
        const size = sizes[turn % sizes.length] ?? 1;
        found.push(...frames.add(whole.subarray(at, at + size)));
        expect(frames.heldBytes).toBeLessThanOrEqual(65_537);
        at += size;
      }
      expect(found).toEqual(all.map((packet) => Buffer.from(packet)));
      expect(frames.heldBytes).toBe(0);
    }),
  );
});

test('a packet costs as much as it has bytes, in however many pieces it comes', () => {
  const packet = Buffer.alloc(2 + 60_000);
  packet.writeUInt16BE(60_000);
  for (const size of [65_536, 1448, 1]) {
    const frames = new TcpFrames();
    const { moved } = byteWork(() => {
      for (let at = 0; at < packet.length; at += size) frames.add(packet.subarray(at, at + size));
    });
    expect(frames.heldBytes).toBe(0);
    expect(moved / packet.length).toBeLessThan(4);
  }
});
