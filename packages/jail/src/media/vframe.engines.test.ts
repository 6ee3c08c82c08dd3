// @module-tag sandbox
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contentOf } from '../inspect/inspect.testing.ts';
import { colorAt, colorVideo, type MediaBench, openMediaBench } from './media.testing.ts';

let bench: MediaBench;
let video: Buffer;

beforeAll(async () => {
  bench = await openMediaBench();
  video = bench.make('video.mp4', colorVideo(4));
});
afterAll(() => bench.close());

async function look(bytes: Buffer) {
  const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return {
    width: info.width,
    height: info.height,
    color: colorAt(data, (info.height >> 1) * info.width + (info.width >> 1)),
  };
}

describe('vframe', () => {
  test.each([
    ['vframe/jpg/offset/0', 160, 120, 'red', 'image/jpeg'],
    ['vframe/png/offset/1.5', 160, 120, 'lime', 'image/png'],
    ['vframe/jpg/offset/2.5/w/80', 80, 60, 'blue', 'image/jpeg'],
    ['vframe/jpg/offset/3.5/h/30', 40, 30, 'white', 'image/jpeg'],
    ['vframe/jpg/offset/0.9/w/33/h/77', 33, 77, 'red', 'image/jpeg'],
    ['vframe/png/offset/1/rotate/90', 120, 160, 'lime', 'image/png'],
    ['vframe/png/offset/1/rotate/180', 160, 120, 'lime', 'image/png'],
  ])('%s is %dx%d and %s [command-03]', async (command, width, height, color, mimeType) => {
    const mediaResult = await bench.run(command, [video]);
    expect(mediaResult.mimeType).toBe(mimeType);
    expect(await look(mediaResult.bytes)).toEqual({ width, height, color });
  });

  test('turns clockwise, and as the video says if nothing is said', async () => {
    const half = ['-f', 'lavfi', '-i', 'color=red:s=64x64:r=5:d=1', '-vf', 'drawbox=0:0:64:32:blue:fill'];
    const upper = bench.make('upper.mp4', [...half, '-c:v', 'libx264', '-pix_fmt', 'yuv420p']);
    const rawAt = async (command: string, source: Buffer, x: number, y: number) => {
      const { bytes } = await bench.run(command, [source]);
      const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
      return colorAt(data, y * info.width + x);
    };
    expect(await rawAt('vframe/png/offset/0', upper, 32, 5)).toBe('blue');
    expect(await rawAt('vframe/png/offset/0/rotate/90', upper, 60, 32)).toBe('blue');
    expect(await rawAt('vframe/png/offset/0/rotate/180', upper, 32, 60)).toBe('blue');
    expect(await rawAt('vframe/png/offset/0/rotate/270', upper, 3, 32)).toBe('blue');
    const turned = bench.turned(upper, 270);
    expect(await rawAt('vframe/png/offset/0', turned, 3, 32)).toBe('blue');
    expect(await rawAt('vframe/png/offset/0/rotate/auto', turned, 3, 32)).toBe('blue');
    expect(await rawAt('vframe/png/offset/0/rotate/90', turned, 60, 32)).toBe('blue');
  });

  test('beyond the end it fails and says so', async () => {
    const failed = await bench.failure('vframe/jpg/offset/60', [video]);
    expect(failed).toMatchObject({ reason: 'source', message: 'the offset is beyond the end of the video' });
  });

  test('of what is no video it fails in a sentence, with the last words of the engine beside it', async () => {
    const song = bench.make('song.mp3', ['-f', 'lavfi', '-i', 'sine=d=1']);
    expect(await bench.failure('vframe/jpg/offset/0', [song])).toMatchObject({
      reason: 'source',
      message: 'execute fop cmd failed: the source has no video',
    });
    const failed = await bench.failure('vframe/jpg/offset/0', [Buffer.from('no video at all')]);
    expect(failed).toMatchObject({
      reason: 'source',
      message:
        'execute fop cmd failed: the source is damaged, or no video or recording that can be read here',
    });
    expect(failed.words).not.toBe('');
    expect(failed.words).not.toMatch(/\/job\/|\/in\//);
  });
});

describe('a large video', () => {
  let large: Buffer;

  beforeAll(() => {
    const noisy = ['-f', 'lavfi', '-i', 'testsrc2=s=640x360:r=25:d=4', '-vf', 'noise=alls=60:allf=t'];
    bench.make('noise.mp4', [
      ...noisy,
      '-c:v',
      'libx264',
      '-preset',
      'ultrafast',
      '-g',
      '50',
      '-b:v',
      '5M',
      '-maxrate',
      '6M',
      '-bufsize',
      '6M',
      '-pix_fmt',
      'yuv420p',
    ]);
    // Copied over and over: what is measured is what is read, not how long it takes to make.
    large = bench.make('large.mp4', ['-stream_loop', '79', '-i', `${bench.root}/noise.mp4`, '-c', 'copy']);
  });

  test('a frame in the middle of 200 MB takes less than 5 MB, and is the same to the byte as from all of it', async () => {
    expect(large.length).toBeGreaterThan(190_000_000);
    for (const offset of [0, 161.9, 162.04, 319]) {
      const source = contentOf(large);
      const part = await bench.run(`vframe/png/offset/${offset}`, [source]);
      expect(source.bytesRead()).toBeLessThan(5_000_000);
      const reference = bench.make(`${offset}.png`, [
        '-ss',
        String(offset),
        '-i',
        `${bench.root}/large.mp4`,
        '-frames:v',
        '1',
      ]);
      const decoded = [part.bytes, reference].map((bytes) => bench.pixels(bytes, '640x360'));
      expect(decoded[0]?.equals(decoded[1] ?? Buffer.alloc(0))).toBe(true);
    }
  });

  test('of another kind is read whole, and gives its frame too', async () => {
    const other = bench.make('large.mkv', [
      '-stream_loop',
      '3',
      '-i',
      `${bench.root}/noise.mp4`,
      '-c',
      'copy',
    ]);
    const source = contentOf(other);
    const mediaResult = await bench.run('vframe/jpg/offset/6', [source]);
    expect(source.bytesRead()).toBeGreaterThanOrEqual(other.length);
    expect((await sharp(mediaResult.bytes).metadata()).width).toBe(640);
  });
});
