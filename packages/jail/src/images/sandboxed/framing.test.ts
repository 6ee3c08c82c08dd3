import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createReplyReader } from '../reply-reader.ts';
import { ABANDON, pieceHeader, receiveRequests, replyFrames } from './framing.ts';
import type { InspectRequest } from './requests.ts';

const request: InspectRequest = { kind: 'look', average: false, maxBytes: 100, maxPixels: 1, seconds: 1 };

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
  for await (const received of receiveRequests(chunks()))
    images.push(received.images && Buffer.concat(received.images).toString('hex'));
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

test('replies arrive whole, however the stream is cut, and what is no reply is told so', () => {
  const cut = fc.integer({ min: 1, max: 40 });
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 50 }), fc.string({ maxLength: 30 }), cut, (body, error, size) => {
      const stream = Buffer.concat([...replyFrames({ told: { error }, body })]);
      const reader = createReplyReader(1000, 50);
      for (let round = 0; round < 2; round++) {
        let reply: ReturnType<typeof reader.push>;
        for (let at = 0; at < stream.length; at += size) reply = reader.push(stream.subarray(at, at + size));
        expect(reply).toEqual({ json: JSON.stringify({ error }), body: Buffer.from(body) });
      }
    }),
  );
  for (const nonsense of ['x\n', '1 2 3\n', '99999 0\n', '1 51\n', '2 0\n{}{', '-1 0\n', ' '.repeat(30)])
    expect(createReplyReader(1000, 50).push(Buffer.from(nonsense))).toBe('broken');
});

test('a request for several images gets them all', async () => {
  const several = { kind: 'work', images: 2, maxBytes: 100 };
  const stream = Buffer.concat([
    Buffer.from(`${JSON.stringify(several)}\n`),
    pieceHeader(1),
    Buffer.from('a'),
    pieceHeader(0),
    pieceHeader(1),
    Buffer.from('b'),
    pieceHeader(0),
  ]);
  expect(await receive(stream, 3)).toEqual([Buffer.from('ab').toString('hex')]);
});
