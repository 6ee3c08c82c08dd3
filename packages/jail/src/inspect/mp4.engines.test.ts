// @module-tag sandbox
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contentOf } from './inspect.testing.ts';
import { findMovieIndex } from './mp4.ts';

const never = new AbortController().signal;

function box(type: string, bytes: number): Buffer {
  const content = Buffer.alloc(bytes + 8);
  content.writeUInt32BE(bytes + 8);
  content.write(type, 4, 'latin1');
  return content;
}

function longBox(type: string, bytes: number): Buffer {
  const content = Buffer.alloc(bytes + 16);
  content.writeUInt32BE(1);
  content.write(type, 4, 'latin1');
  content.writeBigUInt64BE(BigInt(bytes + 16), 8);
  return content;
}

test('the index is found behind the media by reading a few heads', async () => {
  const content = contentOf(
    Buffer.concat([box('ftyp', 24), box('free', 8), longBox('mdat', 1_000_000), box('moov', 500)]),
  );
  expect(await findMovieIndex(content, never)).toEqual({ offset: 32 + 16 + 1_000_016, length: 508 });
  expect(content.bytesRead()).toBeLessThan(5000);
});

test('there is none in other files, and a chain of lying boxes ends', async () => {
  const endless = Buffer.alloc(100_000);
  for (let at = 0; at + 8 <= endless.length; at += 8) box('free', 0).copy(endless, at);
  for (const content of [
    Buffer.from('ID3 something'),
    box('ftyp', 100),
    box('moov', 0).subarray(0, 7),
    endless,
  ])
    expect(await findMovieIndex(contentOf(content), never)).toBeUndefined();
});

test('any bytes give a range inside the file or none', async () => {
  const types = fc.constantFrom('ftyp', 'moov', 'mdat', 'free', 'junk');
  const head = fc
    .tuple(fc.nat(0xffffffff), types, fc.bigInt(0n, 2n ** 64n - 1n))
    .map(([length, type, long]) => {
      const bytes = Buffer.alloc(16);
      bytes.writeUInt32BE(length % 3 === 0 ? length % 64 : length);
      bytes.write(type, 4, 'latin1');
      bytes.writeBigUInt64BE(long, 8);
      return bytes;
    });
  await fc.assert(
    fc.asyncProperty(fc.array(head, { maxLength: 12 }), async (heads) => {
      const content = Buffer.concat(heads);
      const range = await findMovieIndex(contentOf(content), never);
      if (range !== undefined) expect(range.offset + range.length).toBeLessThanOrEqual(content.length);
    }),
    { numRuns: 300 },
  );
});
