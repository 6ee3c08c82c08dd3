// @module-tag sandbox
/** What a request holds in memory: how much of it, and each source once. */
import { encodeBase64Text, type Plan, parseCommand } from '@millpond/protocol';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contentOf } from '../inspect/inspect.testing.ts';
import { type FurtherSource, type MemoryJob, runInMemory } from './in-memory.ts';
import { type MediaBench, openMediaBench } from './media.testing.ts';

const MEBIBYTE = 1024 * 1024;
const bounds = { frames: 200, outputSide: 9_999, outputPixels: 25_000_000, wallMs: 60_000 };

let bench: MediaBench;
let red: Buffer;
let blue: Buffer;

beforeAll(async () => {
  bench = await openMediaBench();
  const box = (side: number, background: string) =>
    sharp({ create: { width: side, height: side, channels: 3, background } })
      .png()
      .toBuffer();
  [red, blue] = [await box(80, '#ff0000'), await box(10, '#0000ff')];
});
afterAll(() => bench.close());

/** Lays what these URLs name over an image. */
function marked(urls: readonly string[], more = ''): Plan {
  return parseCommand(`watermark/3${urls.map((url) => `/image/${encodeBase64Text(url)}`).join('')}${more}`);
}

/** Marks of which nothing but the size is known, and which of them were opened. */
function unread(size: number): { opened: string[]; further: MemoryJob['further'] } {
  const opened: string[] = [];
  const further = (url: string): FurtherSource => ({
    size,
    async open() {
      opened.push(url);
      throw new Error('it was opened');
    },
  });
  return { opened, further };
}

function jobOf(
  stages: readonly Plan[],
  further: MemoryJob['further'],
  source: MemoryJob['source'] = contentOf(red),
): MemoryJob {
  return { stages, source, further, bounds, tenant: 1n, signal: new AbortController().signal };
}

describe('images in memory', () => {
  test('marks that are too large together are refused before any of them is opened', async () => {
    const urls = Array.from({ length: 5 }, (_, index) => `http://pond.example/${index}`);
    const { opened, further } = unread(16 * MEBIBYTE);
    const stages = urls.map((url) => marked([url]));
    const video = [parseCommand('vframe/png/offset/0'), ...stages];
    for (const each of [stages, video])
      await expect(runInMemory(bench.engine, jobOf(each, further))).rejects.toMatchObject({
        reason: 'source',
        message: 'images may have at most 64 MiB',
      });
    expect(opened).toEqual([]);
  });

  test('the image itself counts as well', async () => {
    const { opened, further } = unread(16 * MEBIBYTE);
    const large = { ...contentOf(red), size: 49 * MEBIBYTE };
    const work = runInMemory(bench.engine, jobOf([marked(['http://pond.example/a'])], further, large));
    await expect(work).rejects.toThrow('at most 64 MiB');
    expect(opened).toEqual([]);
  });

  test('who says that errors are to be ignored gets the image as it is', async () => {
    const { opened, further } = unread(65 * MEBIBYTE);
    const stage = marked(['http://pond.example/a'], '/ignore-error/1');
    expect(await runInMemory(bench.engine, jobOf([stage], further))).toBe('original');
    expect(opened).toEqual([]);
  });

  test('what is named many times is opened and read once', async () => {
    let opened = 0;
    const mark = contentOf(blue);
    const further = (): FurtherSource => ({
      size: blue.length,
      async open() {
        opened += 1;
        return mark;
      },
    });
    const stage = marked(Array(10).fill('http://pond.example/mark'), '/gravity/Center');
    const made = await runInMemory(bench.engine, jobOf(Array(8).fill(stage), further));
    if (made === 'original') throw new Error('nothing was made');
    expect(await sharp(made.bytes).metadata()).toMatchObject({ width: 80, height: 80, format: 'png' });
    const center = await sharp(made.bytes)
      .extract({ left: 40, top: 40, width: 1, height: 1 })
      .raw()
      .toBuffer();
    expect([...center.subarray(0, 3)]).toEqual([0, 0, 255]);
    expect([opened, mark.bytesRead()]).toEqual([1, blue.length]);
  });
});
