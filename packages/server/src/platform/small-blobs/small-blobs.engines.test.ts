import { newBlobId } from '@millpond/blobs';
import { collectingSink, pattern } from '@millpond/blobs/testing';
import { expect, test } from 'vitest';
import { useBlobs } from '../../../test/blobs.ts';
import { useDatabases } from '../../../test/databases.ts';
import { SmallStore, smallBlobs } from './index.ts';

const SMALL_BYTES = 4096;

const databases = useDatabases();
const engine = useBlobs('disk');

async function house(size: number) {
  const options = { smallBytes: SMALL_BYTES, cacheBytes: 1024 * 1024, inboxBytes: 1024 * 1024 };
  const blobs = smallBlobs(engine.store, new SmallStore(databases.region), options);
  const [id, bytes] = [newBlobId(), pattern(size)];
  await engine.store.put(id, [bytes], { tier: 'STANDARD' });
  const read = async (offset: number, length: number) => {
    const sink = collectingSink();
    await blobs.read(id, { offset, length, whole: length === size }, sink);
    return sink.bytes().equals(bytes.subarray(offset, offset + length));
  };
  return { blobs, id, read };
}

test('a little blob of the engine that was read as a whole is read from memory, also when the engine has it no more', async () => {
  const { blobs, id, read } = await house(SMALL_BYTES);
  expect(await read(0, SMALL_BYTES)).toBe(true);
  await engine.store.remove([id]);
  expect(await read(0, SMALL_BYTES)).toBe(true);
  expect(blobs.reads).toEqual({ cache: 1, inbox: 0, pack: 0, engine: 1 });
});

test('a larger one, and a part, are always asked of the engine', async () => {
  for (const [size, length] of [
    [SMALL_BYTES + 1, SMALL_BYTES + 1],
    [SMALL_BYTES, 10],
  ] as const) {
    const { blobs, id, read } = await house(size);
    expect(await read(0, length)).toBe(true);
    await engine.store.remove([id]);
    await expect(read(0, length)).rejects.toThrow();
    expect(blobs.reads.cache).toBe(0);
  }
});

test('one that the engine does not have is reported, and not remembered', async () => {
  const { blobs, id, read } = await house(10);
  await engine.store.remove([id]);
  await expect(read(0, 10)).rejects.toThrow();
  expect(blobs.cache.bytes).toBe(0);
});
