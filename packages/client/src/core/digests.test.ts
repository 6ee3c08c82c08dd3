import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { etagOf } from '@millpond/protocol';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nodeDigests } from '../node/digests.ts';
import { hashing } from '../node/hashing.ts';
import { crc32Of, etagOfBytes, webDigests } from './digests.ts';
import { createSha1, sha1Of } from './sha1.ts';

test('SHA-1 and CRC-32 in plain JavaScript are those of Node', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      expect(Buffer.from(sha1Of(bytes)).toString('hex')).toBe(createHash('sha1').update(bytes).digest('hex'));
      expect(crc32Of(bytes)).toBe(crc32(bytes));
    }),
  );
});

test('SHA-1 is the same however the bytes come', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 150 }), { maxLength: 8 }), (pieces) => {
      const running = createSha1();
      for (const piece of pieces) running.update(piece);
      expect(Buffer.from(running.digest())).toEqual(Buffer.from(sha1Of(Buffer.concat(pieces))));
    }),
  );
});

test.each([0, 1, 4 * 1024 * 1024, 4 * 1024 * 1024 + 1])(
  'the etag of %i bytes is that of the protocol',
  async (size) => {
    const bytes = new Uint8Array(size).fill(7);
    const expected = etagOf(hashing, bytes);
    expect(await etagOfBytes(webDigests, bytes)).toBe(expected);
    expect(await etagOfBytes(nodeDigests, bytes)).toBe(expected);
  },
);
