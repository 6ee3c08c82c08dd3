import { type BlobId, isSmallBlob, slotOfBlob } from '@millpond/blobs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { useBlobs } from '../../../test/blobs.ts';
import { BodyWriter } from './body-writer.ts';

const SMALL = 100;
const blobs = useBlobs('disk');
const chunks = fc.array(fc.uint8Array({ maxLength: 60 }), { maxLength: 8 });

function newBodyWriter(options: { slot?: number; tier?: 'STANDARD' | 'COLD'; expectedBytes?: number } = {}) {
  const remembered: BlobId[] = [];
  const body = new BodyWriter(
    {
      blobs: blobs.store,
      smallBytes: SMALL,
      slot: () => options.slot,
      onSmall: (id) => remembered.push(id),
    },
    { tier: options.tier ?? 'STANDARD', expectedBytes: options.expectedBytes },
  );
  return { body, remembered };
}

async function fill(writer: BodyWriter, pieces: readonly Uint8Array[]): Promise<void> {
  for (const piece of pieces) await writer.write(Buffer.from(piece));
}

const stored = async (id: BlobId) => Buffer.from(await blobs.store.readAll(id, 10_000));

describe('a body', () => {
  test('of few bytes is a small blob of the open slot, with its bytes to be committed; of more it is in the engine', async () => {
    await fc.assert(
      fc.asyncProperty(chunks, fc.nat(7), async (pieces, slot) => {
        const whole = Buffer.concat(pieces);
        const { body, remembered } = newBodyWriter({ slot });
        await fill(body, pieces);
        const { blobId, inline } = await body.finish();
        expect(isSmallBlob(blobId)).toBe(whole.length <= SMALL);
        if (inline === undefined) expect(await stored(blobId)).toEqual(whole);
        else expect([inline, slotOfBlob(blobId), remembered]).toEqual([whole, slot, [blobId]]);
        expect(body.end()).toEqual({ blobId, ...(inline ? { inline } : {}) });
      }),
    );
  });

  test.each([
    ['no slot is open', {}],
    ['it is for the cold tier', { slot: 1, tier: 'COLD' }],
    ['more bytes were announced', { slot: 1, expectedBytes: SMALL + 1 }],
  ] as const)('goes to the engine whatever its size if %s', async (_why, options) => {
    await fc.assert(
      fc.asyncProperty(chunks, async (pieces) => {
        const { body } = newBodyWriter(options);
        await fill(body, pieces);
        const { blobId, inline } = body.end();
        expect([isSmallBlob(blobId), inline]).toEqual([false, undefined]);
        await body.finish();
        expect(await stored(blobId)).toEqual(Buffer.concat(pieces));
      }),
      { numRuns: 20 },
    );
  });

  test('keeps its own memory: chunks may be part of a packet', async () => {
    const packet = Buffer.from('a packet of the network');
    const { body } = newBodyWriter({ slot: 0 });
    await body.write(packet.subarray(2, 8));
    const { inline } = body.end();
    packet.fill(0);
    expect(String(inline)).toBe('packet');
  });

  test('that is aborted leaves nothing', async () => {
    for (const size of [SMALL, SMALL * 10]) {
      const { body } = newBodyWriter({ slot: 0 });
      await body.write(Buffer.alloc(size));
      await body.abort();
      await body.abort();
    }
    for (const hour of await blobs.store.listHours())
      for await (const page of blobs.store.list(hour))
        expect(page.every((blob) => blob.size !== SMALL * 10)).toBe(true);
  });
});
