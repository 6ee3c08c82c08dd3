/** What the sources of these tests are made with: bars of known colours, and ffmpeg. */
import sharp from 'sharp';
import type { MediaBench } from '../media.testing.ts';

/** Seven bars of 75 %, from left to right. */
export const BARS: readonly (readonly [number, number, number])[] = [
  [191, 191, 191],
  [191, 191, 0],
  [0, 191, 191],
  [0, 191, 0],
  [191, 0, 191],
  [191, 0, 0],
  [0, 0, 191],
];

export const H264 = '-c:v libx264 -preset ultrafast -crf 10 -pix_fmt yuv420p';
export const SOUND = '-f lavfi -i sine=d=';

/** What ffmpeg writes into a file of this name; texts are split at their blanks, lists are taken as they are. */
export function make(
  bench: MediaBench,
  name: string,
  ...parts: readonly (string | readonly string[])[]
): Buffer {
  return bench.make(
    name,
    parts.flatMap((part) => (typeof part === 'string' ? part.split(' ') : part)),
  );
}

export async function barsImage(width = 322, height = 180): Promise<Buffer> {
  const pixels = Buffer.alloc(width * height * 3);
  for (let at = 0; at < width * height; at++)
    pixels.set(BARS[Math.floor(((at % width) * 7) / width)] ?? [], at * 3);
  return png(pixels, width, height);
}

export function png(pixels: Buffer, width: number, height: number): Promise<Buffer> {
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .png({ compressionLevel: 1 })
    .toBuffer();
}

/** Half a second of an image, as an input. */
export function shown(bench: MediaBench, image: Buffer): string {
  return `-loop 1 -framerate 10 -t 0.5 -i ${bench.file(image, 'image.png')}`;
}

/** ffmpeg 5 takes tags from the arguments, later versions from the frames. */
export function tags(space: string, primaries: string, transfer: string, range: string) {
  return {
    filter: `setparams=range=${range}:colorspace=${space}:color_primaries=${primaries}:color_trc=${transfer}`,
    args: `-colorspace ${space} -color_primaries ${primaries} -color_trc ${transfer} -color_range ${range}`,
  };
}

export type SourceMaker = (bench: MediaBench) => Buffer | Promise<Buffer>;
