import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ABANDON, type ImageRequest, pieceHeader, receiveImages } from './frames.ts';

const request: ImageRequest = { average: false, maxBytes: 100, maxPixels: 1, seconds: 1 };

function frame(pieces: readonly Uint8Array[], end: number): Uint8Array[] {
  return [
    Buffer.from(`${JSON.stringify(request)}\n`),
    ...pieces.flatMap((piece) => [pieceHeader(piece.length), piece]),
    pieceHeader(end),
  ];
}

async function receive(stream: Uint8Array, cut: number): Promise<(string | undefined)[]> {
  async function* chunks(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < stream.length; at += cut) yield stream.subarray(at, at + cut);
  }
  const images: (string | undefined)[] = [];
  for await (const { image } of receiveImages(chunks()))
    images.push(image === undefined ? undefined : Buffer.from(image).toString('hex'));
  return images;
}

test('images arrive whole, however the stream is cut', async () => {
  const piece = fc.uint8Array({ minLength: 1, maxLength: 20 });
  const images = fc.array(fc.array(piece, { maxLength: 5 }), { maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(images, fc.integer({ min: 1, max: 64 }), async (sent, cut) => {
      const stream = Buffer.concat(sent.flatMap((pieces) => frame(pieces, 0)));
      const expected = sent.map((pieces) => Buffer.concat(pieces).toString('hex'));
      expect(await receive(stream, cut)).toEqual(expected);
    }),
    { numRuns: 200 },
  );
});

test('an abandoned image and one that is too large are dropped, and the next one arrives', async () => {
  const stream = Buffer.concat([
    ...frame([Buffer.from('half')], ABANDON),
    ...frame([Buffer.alloc(60), Buffer.alloc(60)], 0),
    ...frame([Buffer.from('ok')], 0),
  ]);
  expect(await receive(stream, 7)).toEqual([undefined, undefined, Buffer.from('ok').toString('hex')]);
});
