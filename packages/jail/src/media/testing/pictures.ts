/** Pictures as printers, designers and cameras write them. */
import sharp from 'sharp';
import { barsImage, type SourceMaker } from './source-makers.ts';

/** What the bars are when they are printed: ink is less bright than light. */
export const PRINTED_BARS: readonly (readonly [number, number, number])[] = [
  [176, 175, 174],
  [185, 179, 0],
  [68, 172, 176],
  [102, 158, 38],
  [159, 35, 116],
  [202, 34, 27],
  [37, 48, 111],
];

/** The left half is of this grey, the right half is not there. */
async function halfGrey16(): Promise<Buffer> {
  const [width, height] = [80, 40];
  const pixels = new Uint16Array(width * height * 2);
  for (let at = 0; at < width * height; at++) pixels.set([0x8000, at % width < 40 ? 0xffff : 0], at * 2);
  return sharp(pixels, { raw: { width, height, channels: 2 } })
    .toColourspace('grey16')
    .png()
    .toBuffer();
}

/** A red square moves over nothing, in frames that replace one another. */
async function sticker(): Promise<Buffer> {
  const frames = await Promise.all(
    [0, 20, 40].map((left) =>
      sharp({ create: { width: 80, height: 40, channels: 4, background: '#00000000' } })
        .composite([
          { input: { create: { width: 20, height: 40, channels: 4, background: '#ff0000' } }, left, top: 0 },
        ])
        .png()
        .toBuffer(),
    ),
  );
  return sharp(frames, { join: { animated: true } })
    .gif({ delay: [200, 200, 200] })
    .toBuffer();
}

export const pictures = {
  printed: async () =>
    sharp(await barsImage())
      .toColourspace('cmyk')
      .withIccProfile('cmyk')
      .jpeg({ quality: 95, chromaSubsampling: '4:4:4' })
      .toBuffer(),
  printedPlain: async () =>
    sharp(await barsImage())
      .toColourspace('cmyk')
      .jpeg({ quality: 95, chromaSubsampling: '4:4:4' })
      .toBuffer(),
  wideGamut: async () =>
    sharp(await barsImage())
      .withIccProfile('p3')
      .png()
      .toBuffer(),
  bars16: async () =>
    sharp(await barsImage())
      .toColourspace('rgb16')
      .png()
      .toBuffer(),
  halfGrey16,
  sticker,
} as const satisfies Record<string, SourceMaker>;
