// @module-tag sandbox

import type { ContentSource } from '@millpond/blobs';
import sharp, { type Sharp } from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contentOf, openBench, type TestBench } from './inspect.testing.ts';
import type { Inspector } from './inspector.ts';

let bench: TestBench;
let inspector: Inspector;

beforeAll(async () => {
  bench = await openBench();
  inspector = await bench.open();
});
afterAll(() => bench.close());

const canvas = () => sharp({ create: { width: 40, height: 30, channels: 3, background: '#85694d' } });
const glass = () =>
  sharp({
    create: { width: 40, height: 30, channels: 4, background: { r: 200, g: 100, b: 50, alpha: 0.5 } },
  });

test('nothing is off where all engines are there', () => {
  expect(inspector.off).toEqual([]);
});

describe('imageInfo', () => {
  test.each<[string, () => Sharp, string, string]>([
    ['jpeg', () => canvas().jpeg(), 'jpeg', 'ycbcr'],
    ['grey jpeg', () => canvas().toColourspace('b-w').jpeg(), 'jpeg', 'gray'],
    ['jpeg in inks', () => canvas().toColourspace('cmyk').jpeg(), 'jpeg', 'cmyk'],
    ['png', () => canvas().png(), 'png', 'rgba'],
    ['png with alpha', () => glass().png(), 'png', 'nrgba'],
    ['png with a palette', () => canvas().png({ palette: true, colours: 16 }), 'png', 'palette16'],
    ['png of 16 bits', () => canvas().toColourspace('rgb16').png(), 'png', 'rgba64'],
    ['grey png', () => canvas().toColourspace('b-w').png(), 'png', 'gray'],
    ['grey png of 16 bits', () => canvas().toColourspace('grey16').png(), 'png', 'gray16'],
    ['webp', () => canvas().webp(), 'webp', 'ycbcr'],
    ['webp with alpha', () => glass().webp(), 'webp', 'nrgba'],
    ['tiff', () => canvas().tiff(), 'tiff', 'rgba'],
    ['avif', () => canvas().avif({ effort: 0 }), 'avif', 'ycbcr'],
  ])('of a %s', async (_, make, format, colorModel) => {
    const image = await make().toBuffer();
    const seen = await inspector.inspectImage(contentOf(image));
    expect(seen).toEqual({ imageInfo: { size: image.length, format, width: 40, height: 30, colorModel } });
  });

  test('of a moving gif has the number of frames', async () => {
    const gif = bench.make('moving.gif', ['-f', 'lavfi', '-i', 'testsrc=s=64x48:r=5:d=1']);
    const seen = await inspector.inspectImage(contentOf(gif, 100));
    expect(seen?.imageInfo).toMatchObject({ format: 'gif', width: 64, height: 48, frameNumber: 5 });
    expect(seen?.imageInfo.colorModel).toMatch(/^palette\d+$/);
  });

  test('of what is no image, empty or too large is undefined, and the latter is not even read', async () => {
    expect(await inspector.inspectImage(contentOf(Buffer.from('plain text')))).toBeUndefined();
    expect(await inspector.inspectImage(contentOf(new Uint8Array()))).toBeUndefined();
    const large = contentOf(Buffer.alloc(20 * 1024 * 1024 + 1));
    expect(await inspector.inspectImage(large)).toBeUndefined();
    expect(large.bytesRead()).toBe(0);
  });
});

describe('exif and average', () => {
  test('exif is told of an image that has it', async () => {
    const image = await canvas()
      .jpeg()
      .withExif({ IFD0: { Make: 'Canon' }, IFD2: { FNumber: '18/10' }, IFD3: { GPSLatitudeRef: 'N' } })
      .toBuffer();
    const seen = await inspector.inspectImage(contentOf(image));
    expect(seen?.exif).toMatchObject({
      Make: { type: 2, val: 'Canon' },
      FNumber: { type: 5, val: 'f/1.8' },
      GPSLatitudeRef: { type: 2, val: 'N' },
    });
  });

  test.each<[string, () => Sharp, number[]]>([
    ['one colour', () => canvas().png(), [0x85, 0x69, 0x4d]],
    ['a lossy one', () => canvas().jpeg(), [0x85, 0x69, 0x4d]],
    ['half black, half white', () => halves(), [128, 128, 128]],
    ['half transparent', () => glass().png(), [200, 100, 50]],
    ['inks', () => canvas().toColourspace('cmyk').jpeg({ quality: 100 }), [0x85, 0x69, 0x4d]],
  ])('the average of %s', async (_, make, expected) => {
    const image = await make().toBuffer();
    const seen = await inspector.inspectImage(contentOf(image), { average: true });
    const rgb = seen?.imageAve?.RGB ?? '';
    expect(rgb).toMatch(/^0x[0-9a-f]{6}$/);
    const channels = [2, 4, 6].map((at) => Number.parseInt(rgb.slice(at, at + 2), 16));
    for (const [index, value] of channels.entries())
      expect(Math.abs(value - (expected[index] ?? 0))).toBeLessThan(16);
  });

  function halves(): Sharp {
    const white = { create: { width: 400, height: 200, channels: 3 as const, background: '#ffffff' } };
    return sharp({ create: { width: 400, height: 400, channels: 3, background: '#000000' } })
      .composite([{ input: white, top: 0, left: 0 }])
      .png();
  }

  test('an image broken behind its head has a size and no average', async () => {
    const image = await sharp({
      create: {
        width: 800,
        height: 800,
        channels: 3,
        background: '#123456',
        noise: { type: 'gaussian', mean: 100, sigma: 50 },
      },
    })
      .png()
      .toBuffer();
    const seen = await inspector.inspectImage(contentOf(image.subarray(0, 5000)), { average: true });
    expect(seen).toEqual({
      imageInfo: { size: 5000, format: 'png', width: 800, height: 800, colorModel: 'rgba' },
    });
  });
});

describe('the processes', () => {
  test('are kept, replaced after so many images, and replaced when they have grown', async () => {
    const image = contentOf(await canvas().png().toBuffer());
    const few = await bench.open({ concurrency: 1, imageRecycleAfter: 3 });
    const started = bench.starts();
    // The start has asked once already.
    for (let count = 0; count < 4; count++) expect(await few.inspectImage(image)).toBeDefined();
    expect(bench.starts() - started).toBe(1);

    const small = await bench.open({ concurrency: 1, imageRecycleBytes: 1 });
    const grown = bench.starts();
    for (let count = 0; count < 2; count++) expect(await small.inspectImage(image)).toBeDefined();
    expect(bench.starts() - grown).toBe(2);
  });

  test('one that is too late is killed, and the next image finds a new one', async () => {
    const hasty = await bench.open({ concurrency: 1, deadlineMs: 20_000 });
    const large = await sharp({ create: { width: 9000, height: 9000, channels: 3, background: '#fff' } })
      .png({ compressionLevel: 1, progressive: true })
      .toBuffer();
    const started = bench.starts();
    const cancel = new AbortController();
    const content = contentOf(large);
    // The process has its image, and is not done with it by far.
    const read: ContentSource['read'] = async (...args) => {
      await content.read(...args);
      if (content.bytesRead() >= large.length) setImmediate(() => cancel.abort());
    };
    const late = hasty.inspectImage({ ...content, read }, { average: true, signal: cancel.signal });
    expect(await late).toBeUndefined();
    expect(await hasty.inspectImage(contentOf(await canvas().png().toBuffer()))).toBeDefined();
    expect(bench.starts() - started).toBe(1);
  });

  test('a source that breaks off or hangs spoils nothing for the next image', async () => {
    const steady = await bench.open({ concurrency: 1, deadlineMs: 1500 });
    const image = await canvas().png().toBuffer();
    const started = bench.starts();
    const broken = {
      size: image.length,
      async read(_range: unknown, sink: { write(chunk: Uint8Array): boolean }) {
        sink.write(image.subarray(0, 20));
        throw new Error('the engine is gone');
      },
    };
    const hanging = {
      size: image.length,
      read: (_range: unknown, _sink: unknown, signal: AbortSignal) =>
        new Promise<void>((_, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason as Error)),
        ),
    };
    expect(await steady.inspectImage(broken)).toBeUndefined();
    expect(await steady.inspectImage(contentOf(image))).toBeDefined();
    expect(await steady.inspectImage(hanging)).toBeUndefined();
    expect(await steady.inspectImage(contentOf(image))).toBeDefined();
    expect(bench.starts() - started).toBe(0);
  });

  test('more than may wait are turned away at once', async () => {
    const narrow = await bench.open({ concurrency: 1, waiting: 1 });
    const image = await canvas().png().toBuffer();
    let open = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const slow = contentOf(image);
    const first = narrow.inspectImage({ ...slow, read: (...args) => gate.then(() => slow.read(...args)) });
    const second = narrow.inspectImage(contentOf(image));
    expect(await narrow.inspectImage(contentOf(image))).toBeUndefined();
    open();
    expect(await first).toBeDefined();
    expect(await second).toBeDefined();
  });
});
