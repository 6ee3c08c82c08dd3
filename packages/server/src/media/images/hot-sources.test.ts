import { randomBytes } from 'node:crypto';
import { newBlobId, readBytes } from '@millpond/blobs';
import { sourceOfBytes } from '@millpond/jail';
import fc from 'fast-check';
import { expect, test } from 'vitest';
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
    const lease = await hot.use(id, open, signal);
    const bytes = await readBytes(lease.source, { offset: 0, length: size }, signal);
    expect(bytes.toString()).toBe(name.repeat(size));
    lease.end(true);
  };
  for (const name of 'abcdefgh') await get(name);
  await get('a');
  expect(reads.join('')).toBe('abcdefgh');
  await get('i');
  await get('a');
  await get('b');
  expect(reads.join('')).toBe('abcdefghib');
  await get('X', 21);
  await get('X', 21);
  expect(reads.join('')).toBe('abcdefghibXX');
});

test('slabs are used again when nobody reads them and nobody remembers them, and never after a failure', async () => {
  const size = 700_000;
  const hot = new HotSources(8 * size);
  const use = (name: string) =>
    hot.use(newBlobId(), async () => sourceOfBytes(Buffer.alloc(size, name)), signal);
  const textOf = async ({ source }: Awaited<ReturnType<typeof use>>) =>
    new Set(await readBytes(source, { offset: 0, length: size }, signal));
  const only = (name: string) => new Set(Buffer.from(name));
  const [used, ended, failed] = [await use('u'), await use('e'), await use('f')];
  ended.end(true);
  failed.end(false);
  expect(await textOf(ended)).toEqual(only('e'));
  for (let other = 0; other < 20; other++) (await use('o')).end(true);
  expect(await textOf(used)).toEqual(only('u'));
  expect(await textOf(ended)).toEqual(only('o'));
  expect(await textOf(failed)).toEqual(only('f'));
});

test('any range of a source is what it was', async () => {
  const bytes = randomBytes(1_200_000);
  const { source } = await new HotSources().use(newBlobId(), async () => sourceOfBytes(bytes), signal);
  await fc.assert(
    fc.asyncProperty(fc.nat(bytes.length), fc.nat(bytes.length), async (one, other) => {
      const [offset, end] = [Math.min(one, other), Math.max(one, other)];
      const read = await readBytes(source, { offset, length: end - offset }, signal);
      expect(read.equals(bytes.subarray(offset, end))).toBe(true);
    }),
  );
});
