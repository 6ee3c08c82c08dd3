import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ChunkedBody } from './chunks.ts';
import { WireFault } from './faults.ts';

const encode = (pieces: readonly Uint8Array[], extension: string): Buffer =>
  Buffer.concat([
    ...pieces.flatMap((piece) => [
      Buffer.from(`${piece.length.toString(16)}${extension}\r\n`),
      piece,
      Buffer.from('\r\n'),
    ]),
    Buffer.from('0\r\n\r\n'),
  ]);

test('any body in any chunks and any pieces', () => {
  fc.assert(
    fc.property(
      fc.array(fc.uint8Array({ minLength: 1, maxLength: 300 }), { maxLength: 8 }),
      fc.constantFrom('', ';a=b', ' ; c'),
      fc.integer({ min: 1, max: 500 }),
      (pieces, extension, size) => {
        const bytes = encode(pieces, extension);
        const body = new ChunkedBody();
        let decoded: Buffer | undefined;
        let at = 0;
        for (; !decoded; at += size) {
          expect(at).toBeLessThan(bytes.length);
          decoded = body.read(bytes.subarray(at, at + size));
        }
        // The body is known with the last chunk, not before.
        expect(Math.min(at, bytes.length)).toBeGreaterThanOrEqual(bytes.length - 2);
        expect(decoded.equals(Buffer.concat(pieces))).toBe(true);
      },
    ),
  );
});

test.each(['x\r\n', '-1\r\n', '5\r\nabcdeXX0\r\n\r\n', '\r\n', '1'.repeat(300), '123456789\r\n'])(
  'refused: %j',
  (text) => {
    expect(() => new ChunkedBody().read(Buffer.from(text))).toThrow(WireFault);
  },
);

test('a body without end is not collected for ever', () => {
  const body = new ChunkedBody();
  const chunk = encode([new Uint8Array(1000)], '').subarray(0, -5);
  expect(() => {
    for (let count = 0; count < 100; count++) body.read(chunk);
  }).toThrow('too large');
});
