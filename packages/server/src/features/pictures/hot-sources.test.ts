import { expect, test } from 'vitest';
import { newBlobId } from '../../platform/blobs/index.ts';
import { readBytes } from '../../platform/content-source.ts';
import { sourceOfBytes } from '../../platform/media/index.ts';
import { HotSources } from './hot-sources.ts';

const signal = new AbortController().signal;

test('a source is read once while there is room, the one used longest ago goes first, large ones are not held', async () => {
  const hot = new HotSources(80);
  const reads: string[] = [];
  const ids = new Map<string, ReturnType<typeof newBlobId>>();
  const get = async (name: string, size = 10) => {
    const id = ids.get(name) ?? newBlobId();
    ids.set(name, id);
    const open = async () => {
      reads.push(name);
      return sourceOfBytes(Buffer.alloc(size, name));
    };
    const source = await hot.get(id, open, signal);
    const bytes = await readBytes(source, { offset: 0, length: source.size }, signal);
    expect(bytes.toString()).toBe(name.repeat(size));
  };
  for (const name of 'abcdefgh') await get(name);
  await get('a');
  expect(reads.join('')).toBe('abcdefgh');
  await get('i');
  await get('a');
  await get('b');
  expect(reads.join('')).toBe('abcdefghib');
  await get('X', 11);
  await get('X', 11);
  expect(reads.join('')).toBe('abcdefghibXX');
});
