/**
 * What every blob store must do, whatever is behind it. Each implementation's test hands in a store and the few
 * things the suite cannot do through the interface.
 */
import { describe, expect, test } from 'vitest';
import { type BlobId, hourOf, newBlobId } from '../blob-id.ts';
import { BlobCorruptError, BlobNotFoundError, BlobTooLargeError } from '../errors.ts';
import type { BlobStore, ByteRange } from '../store.ts';
import { collectingSink, pattern, slowSink, writeInChunks } from './sinks.ts';

export interface Subject {
  readonly store: () => BlobStore;
  /** Unfinished writes that the engine holds: multiparts, temporary files. */
  readonly unfinished: () => Promise<number>;
}

const MIB = 1024 * 1024;
const STANDARD = { tier: 'STANDARD' } as const;
const COLD = { tier: 'COLD' } as const;
/** Separate hours in the past, so that lists of one test do not see the blobs of another. */
const idsAt = (year: number) => (): BlobId =>
  newBlobId(Date.UTC(year, 0, 1) + Math.floor(Math.random() * 3_000_000));

/** Neither hashed nor printed where they differ: there are many. */
function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) === 0;
}

async function bytesOf(store: BlobStore, id: BlobId, range: ByteRange): Promise<Buffer> {
  const sink = collectingSink();
  await store.read(id, range, sink);
  return sink.bytes();
}

async function entriesOf(
  store: BlobStore,
  hour: string,
  pageSize?: number,
): Promise<{ id: BlobId; size: number }[]> {
  const entries = [];
  for await (const page of store.list(hour, { pageSize })) entries.push(...page);
  return entries;
}

export function describeBlobStore(name: string, { store, unfinished }: Subject): void {
  describe(`${name}: round trips`, () => {
    test.each([0, 1, 4096, 300_000, MIB + 1])('put of %i bytes', async (length) => {
      const id = newBlobId();
      const bytes = pattern(length, length + 1);
      await store().put(id, [bytes.subarray(0, length >> 1), bytes.subarray(length >> 1)], STANDARD);
      expect(await store().stat(id)).toEqual({ size: length, tier: 'STANDARD' });
      expect((await bytesOf(store(), id, { offset: 0, length })).equals(bytes)).toBe(true);
      expect((await bytesOf(store(), id, { offset: 0, length, whole: true })).equals(bytes)).toBe(true);
      expect(isSame(await store().readAll(id, length), bytes)).toBe(true);
    });

    test.each([0, 1, 8 * MIB, 8 * MIB + 1, 16 * MIB, 16 * MIB + 1])('writer of %i bytes', async (length) => {
      const id = newBlobId();
      const bytes = pattern(length, 3);
      const writer = store().openWriter(id, STANDARD);
      await writeInChunks(writer, bytes, 65_536 - 7);
      expect(await store().stat(id)).toBeUndefined();
      await writer.finish();
      expect(await store().stat(id)).toEqual({ size: length, tier: 'STANDARD' });
      expect(isSame(await bytesOf(store(), id, { offset: 0, length }), bytes)).toBe(true);
      expect(await unfinished()).toBe(0);
    });

    test('chunks that were given away arrive as they were', async () => {
      const id = newBlobId();
      const bytes = pattern(18 * MIB + 5, 9);
      const writer = store().openWriter(id, { ...STANDARD, freeChunks: true });
      for (let at = 0; at < bytes.length; at += at % 3 === 0 ? 65_536 : 12_001)
        await writer.write(new Uint8Array(bytes.subarray(at, at + (at % 3 === 0 ? 65_536 : 12_001))));
      await writer.finish();
      expect(isSame(await bytesOf(store(), id, { offset: 0, length: bytes.length }), bytes)).toBe(true);
    });

    test('one chunk larger than two parts, and chunks of one byte', async () => {
      const [large, crumbs] = [newBlobId(), newBlobId()];
      const bytes = pattern(21 * MIB, 4);
      const writer = store().openWriter(large, STANDARD);
      await writer.write(bytes);
      await writer.finish();
      expect(isSame(await bytesOf(store(), large, { offset: 0, length: bytes.length }), bytes)).toBe(true);
      const few = store().openWriter(crumbs, STANDARD);
      await writeInChunks(few, bytes.subarray(0, 5000), 1);
      await few.finish();
      expect((await store().readAll(crumbs, 5000)).subarray(0, 5000)).toEqual(bytes.subarray(0, 5000));
    });

    test('any range of a large blob', async () => {
      const id = newBlobId();
      const bytes = pattern(17 * MIB + 12_345, 5);
      const writer = store().openWriter(id, STANDARD);
      await writeInChunks(writer, bytes, 500_000);
      await writer.finish();
      const ranges: ByteRange[] = [
        { offset: bytes.length - 1, length: 1 },
        { offset: 8 * MIB - 3, length: 6 },
        { offset: 16 * MIB - 3, length: 6 },
        { offset: bytes.length, length: 0 },
      ];
      for (let count = 0; count < 30; count++) {
        const offset = Math.floor(Math.random() * bytes.length);
        ranges.push({ offset, length: Math.floor(Math.random() * Math.min(bytes.length - offset, 2 * MIB)) });
      }
      for (const range of ranges) {
        const expected = bytes.subarray(range.offset, range.offset + range.length);
        const got = await bytesOf(store(), id, range);
        expect(got.equals(expected), `bytes ${range.offset}+${range.length}`).toBe(true);
      }
    });

    test('eight writers side by side', async () => {
      const blobs = Array.from({ length: 8 }, (_, index) => ({
        id: newBlobId(),
        bytes: pattern(17 * MIB + index, index + 9),
      }));
      await Promise.all(
        blobs.map(async ({ id, bytes }) => {
          const writer = store().openWriter(id, STANDARD);
          await writeInChunks(writer, bytes, 100_000);
          await writer.finish();
        }),
      );
      for (const { id, bytes } of blobs)
        expect(isSame(await bytesOf(store(), id, { offset: 0, length: bytes.length }), bytes)).toBe(true);
    });
  });

  describe(`${name}: what is not there`, () => {
    test('a missing blob', async () => {
      const id = newBlobId();
      const sink = collectingSink();
      await expect(store().read(id, { offset: 0, length: 10 }, sink)).rejects.toThrow(BlobNotFoundError);
      await expect(store().read(id, { offset: 0, length: 0 }, sink)).rejects.toThrow(BlobNotFoundError);
      expect(sink.received).toBe(0);
      await expect(store().readAll(id, 10)).rejects.toThrow(BlobNotFoundError);
      await expect(store().copy(id, newBlobId(), COLD)).rejects.toThrow(BlobNotFoundError);
      expect(await store().stat(id)).toBeUndefined();
    });

    test('more bytes than the blob holds', async () => {
      const id = newBlobId();
      await store().put(id, [pattern(100)], STANDARD);
      const sink = collectingSink();
      await expect(store().read(id, { offset: 50, length: 51 }, sink)).rejects.toThrow(BlobCorruptError);
      await expect(store().read(id, { offset: 100, length: 1 }, sink)).rejects.toThrow(BlobCorruptError);
      expect(sink.received).toBe(0);
      await expect(store().readAll(id, 99)).rejects.toThrow(BlobTooLargeError);
    });

    test('removing, twice, and what never was', async () => {
      const ids = Array.from({ length: 40 }, () => newBlobId());
      for (const [index, id] of ids.entries())
        await store().put(id, [pattern(3)], index % 2 ? STANDARD : COLD);
      await store().remove([...ids.slice(0, 39), newBlobId()]);
      await store().remove(ids.slice(0, 39));
      await store().remove([]);
      expect(await store().stat(ids[0] as BlobId)).toBeUndefined();
      expect(await store().stat(ids[38] as BlobId)).toBeUndefined();
      expect(await store().stat(ids[39] as BlobId)).toBeDefined();
    });
  });

  describe(`${name}: tiers`, () => {
    test('a blob lies in the tier that was asked for, and copies move between them', async () => {
      const bytes = pattern(17 * MIB, 6);
      const [small, large, warm, cold] = [newBlobId(), newBlobId(), newBlobId(), newBlobId()];
      await store().put(small, [bytes.subarray(0, 1000)], COLD);
      const writer = store().openWriter(large, COLD);
      await writeInChunks(writer, bytes, 1_000_000);
      await writer.finish();
      expect(await store().stat(small)).toEqual({ size: 1000, tier: 'COLD' });
      expect(await store().stat(large)).toEqual({ size: bytes.length, tier: 'COLD' });
      await store().copy(large, warm, STANDARD);
      await store().copy(warm, cold, COLD);
      expect(await store().stat(warm)).toEqual({ size: bytes.length, tier: 'STANDARD' });
      expect(await store().stat(cold)).toEqual({ size: bytes.length, tier: 'COLD' });
      await store().remove([large, warm]);
      expect(isSame(await bytesOf(store(), cold, { offset: 0, length: bytes.length }), bytes)).toBe(true);
    });
  });

  describe(`${name}: giving up`, () => {
    test.each([1000, 20 * MIB])('an aborted writer of %i bytes leaves nothing', async (length) => {
      const id = newBlobId();
      const writer = store().openWriter(id, STANDARD);
      await writeInChunks(writer, pattern(length), 300_000);
      await writer.abort();
      await writer.abort();
      await expect(writer.finish()).rejects.toThrow('aborted');
      expect(await store().stat(id)).toBeUndefined();
      expect(await unfinished()).toBe(0);
    });

    test('a cancelled writer rejects with the reason and leaves nothing', async () => {
      const id = newBlobId();
      const cancel = new AbortController();
      const writer = store().openWriter(id, { ...STANDARD, signal: cancel.signal });
      await writeInChunks(writer, pattern(17 * MIB), 300_000);
      const reason = new Error('the client is gone');
      cancel.abort(reason);
      await expect(Promise.resolve(writer.write(pattern(10)))).rejects.toBe(reason);
      await expect(writer.finish()).rejects.toBe(reason);
      expect(await store().stat(id)).toBeUndefined();
      expect(await unfinished()).toBe(0);
    });

    test('a signal that is cancelled beforehand stops everything', async () => {
      const id = newBlobId();
      const signal = AbortSignal.abort(new Error('too late'));
      await expect(store().put(id, [pattern(10)], { ...STANDARD, signal })).rejects.toThrow('too late');
      await expect(
        store()
          .openWriter(id, { ...STANDARD, signal })
          .finish(),
      ).rejects.toThrow('too late');
      expect(await store().stat(id)).toBeUndefined();
      await store().put(id, [pattern(10)], STANDARD);
      await expect(store().read(id, { offset: 0, length: 10 }, collectingSink(), signal)).rejects.toThrow(
        'too late',
      );
    });

    test('a cancelled read stops writing into its sink', async () => {
      const id = newBlobId();
      await store().put(id, [pattern(6 * MIB)], STANDARD);
      const cancel = new AbortController();
      const sink = slowSink((received) => {
        if (received > MIB) cancel.abort(new Error('enough'));
        return 1;
      });
      await expect(store().read(id, { offset: 0, length: 6 * MIB }, sink, cancel.signal)).rejects.toThrow(
        'enough',
      );
      const { received } = sink;
      expect(received).toBeLessThan(2 * MIB);
      await new Promise((resolve) => setTimeout(resolve, 100));
      expect(sink.received).toBe(received);
    });

    test('stale writes are ended, and their writers fail', async () => {
      const id = newBlobId();
      const writer = store().openWriter(id, STANDARD);
      await writeInChunks(writer, pattern(17 * MIB), 1_000_000);
      while ((await unfinished()) === 0) await new Promise((resolve) => setTimeout(resolve, 20));
      expect(await store().abortStale(new Date(Date.now() - 60_000))).toBe(0);
      expect(await store().abortStale(new Date(Date.now() + 60_000))).toBe(1);
      await expect(writer.finish()).rejects.toThrow();
      expect(await store().stat(id)).toBeUndefined();
      expect(await unfinished()).toBe(0);
    });
  });

  describe(`${name}: back-pressure`, () => {
    test('nothing is written into a full sink, and every byte arrives', async () => {
      const id = newBlobId();
      const bytes = pattern(5 * MIB + 77, 8);
      await store().put(id, [bytes], STANDARD);
      const sink = slowSink((received) => (received % 5 === 0 ? 2 : 0));
      await store().read(id, { offset: 0, length: bytes.length }, sink);
      await new Promise((resolve) => setTimeout(resolve, 20));
      expect(sink.maxUnrequested).toBe(0);
      expect(isSame(sink.bytes(), bytes)).toBe(true);
    });

    test('a sink that stops halts the flow', async () => {
      const id = newBlobId();
      const length = 48 * MIB;
      const writer = store().openWriter(id, STANDARD);
      await writeInChunks(writer, pattern(length, 12), MIB);
      await writer.finish();
      let held: (() => void) | undefined;
      let received = 0;
      const sink = {
        write(chunk: Uint8Array): boolean {
          received += chunk.length;
          return received < MIB;
        },
        once: (_event: 'drain', listener: () => void) => {
          held = listener;
        },
      };
      const cancel = new AbortController();
      const before = process.memoryUsage();
      const read = store().read(id, { offset: 0, length }, sink, cancel.signal);
      read.catch(() => undefined);
      while (!held) await new Promise((resolve) => setTimeout(resolve, 5));
      await new Promise((resolve) => setTimeout(resolve, 300));
      const after = process.memoryUsage();
      expect(received).toBeLessThan(2 * MIB);
      // The file in memory, or much of it, would show; buffers that wait for the garbage collector do not.
      expect(after.external - before.external).toBeLessThan(length / 2);
      cancel.abort(new Error('seen enough'));
      await expect(read).rejects.toThrow('seen enough');
    });

    test('a writer makes a fast source wait', async () => {
      const id = newBlobId();
      const writer = store().openWriter(id, STANDARD);
      const chunk = pattern(64 * 1024);
      let waits = 0;
      for (let count = 0; count < 1024; count++) {
        const waiting = writer.write(Buffer.from(chunk));
        if (waiting) {
          waits++;
          await waiting;
        }
      }
      await writer.finish();
      expect(waits).toBeGreaterThan(0);
      expect(await store().stat(id)).toEqual({ size: 64 * MIB, tier: 'STANDARD' });
    });
  });

  describe(`${name}: lists`, () => {
    test('every blob of an hour once, by ascending id, over many pages', async () => {
      const newId = idsAt(2011);
      const blobs = Array.from({ length: 1050 }, (_, index) => ({ id: newId(), size: index % 7 }));
      const hour = hourOf(blobs[0]?.id as BlobId);
      // What an earlier try left.
      await store().remove((await entriesOf(store(), hour)).map(({ id }) => id));
      const waiting = blobs.values();
      const worker = async (): Promise<void> => {
        for (const { id, size } of waiting)
          await store().put(id, [pattern(size)], id.endsWith('0') ? COLD : STANDARD);
      };
      await Promise.all(Array.from({ length: 32 }, worker));
      blobs.sort((one, other) => (one.id < other.id ? -1 : 1));
      expect(await entriesOf(store(), hour, 70)).toEqual(blobs);
      expect(await entriesOf(store(), hour)).toEqual(blobs);
      const after = blobs[900]?.id as BlobId;
      const rest = [];
      for await (const page of store().list(hour, { after, pageSize: 50 })) {
        expect(page.length).toBeLessThanOrEqual(50);
        rest.push(...page);
      }
      expect(rest).toEqual(blobs.slice(901));
    });

    test('removing while listing loses no entry', async () => {
      const newId = idsAt(2012);
      const ids = Array.from({ length: 60 }, newId).sort();
      await Promise.all(ids.map((id) => store().put(id, [pattern(1)], STANDARD)));
      const hour = hourOf(ids[0] as BlobId);
      const seen: BlobId[] = [];
      for await (const page of store().list(hour, { pageSize: 7 })) {
        seen.push(...page.map(({ id }) => id));
        await store().remove(page.map(({ id }) => id));
      }
      expect(seen).toEqual(ids);
      expect(await entriesOf(store(), hour)).toEqual([]);
      expect(await store().listHours()).not.toContain(hour);
    });

    test('hours ascend and are those of the blobs', async () => {
      const ids = [2009, 2003, 2006].map((year) => idsAt(year)());
      for (const id of ids) await store().put(id, [], STANDARD);
      const hours = await store().listHours();
      expect(hours).toEqual([...hours].sort());
      expect(hours.slice(0, 3)).toEqual(['2003010100', '2006010100', '2009010100']);
      expect(await entriesOf(store(), '1999010100')).toEqual([]);
    });
  });

  test(`${name}: readiness can be asked for again and again`, async () => {
    await Promise.all([store().ensureReady(), store().ensureReady()]);
    await store().ping();
  });
}
