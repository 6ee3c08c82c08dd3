import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ChunkedBody } from './chunks.ts';
import { WireError } from './faults.ts';

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
        const decoded: Buffer[] = [];
        let at = 0;
        for (; !body.ended; at += size) {
          expect(at).toBeLessThan(bytes.length);
          decoded.push(...body.read(bytes.subarray(at, at + size)));
        }
        // The end is known with the last chunk, not before.
        expect(Math.min(at, bytes.length)).toBeGreaterThanOrEqual(bytes.length - 2);
        expect(Buffer.concat(decoded).equals(Buffer.concat(pieces))).toBe(true);
      },
    ),
  );
});

test.each(['x\r\n', '-1\r\n', '5\r\nabcdeXX0\r\n\r\n', '\r\n', '1'.repeat(300), '123456789\r\n'])(
  'refused: %j',
  (text) => {
    expect(() => new ChunkedBody().read(Buffer.from(text))).toThrow(WireError);
  },
);

test('what follows the last chunk is not looked at', () => {
  const body = new ChunkedBody();
  expect(body.read(Buffer.from('1\r\na\r\n0\r\nTrailer: x\r\n\r\n'))).toEqual([Buffer.from('a')]);
  expect(body.ended).toBe(true);
});
