import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ByteQueue } from './byte-queue.ts';
import { byteWork } from './testing.ts';

test('what is added comes out in its order, however it is cut and taken', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.record({ chunk: fc.uint8Array({ maxLength: 700 }), taken: fc.nat(700), settles: fc.boolean() }),
      ),
      (steps) => {
        const held = new ByteQueue();
        const out: Buffer[] = [];
        for (const { chunk, taken, settles } of steps) {
          held.add(Buffer.from(chunk));
          const count = Math.min(taken, held.length);
          out.push(Buffer.from(held.bytes.subarray(0, count)));
          held.drop(count);
          if (settles) held.settle();
          expect(held.memoryBytes).toBeGreaterThanOrEqual(held.length);
        }
        out.push(Buffer.from(held.bytes));
        expect(Buffer.concat(out)).toEqual(Buffer.concat(steps.map(({ chunk }) => chunk)));
        held.drop(held.length);
        expect([held.length, held.memoryBytes]).toEqual([0, 0]);
      },
    ),
  );
});

test('a little that is left of a large chunk does not keep all of it', () => {
  const held = new ByteQueue();
  held.add(Buffer.alloc(65_536));
  held.drop(65_530);
  held.settle();
  expect([held.length, held.memoryBytes]).toEqual([6, 512]);
});

test('each byte is moved a few times at most: in one chunk, byte by byte, and with something always left', () => {
  const total = 100_000;
  const work = (size: number, left: number) =>
    byteWork(() => {
      const held = new ByteQueue();
      const chunk = Buffer.alloc(size);
      for (let at = 0; at < total; at += size) {
        held.add(chunk.subarray());
        for (let count = held.length; count > left; count -= 7) held.drop(Math.min(7, held.length - left));
        held.settle();
      }
    }).moved;
  for (const size of [1, 7, 1000, total])
    for (const left of [0, 5, 60_000]) expect(work(size, left) / total).toBeLessThan(4);
});
