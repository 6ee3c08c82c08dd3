// @module-tag sandbox
import { crc32, deflateSync } from 'node:zlib';
import { encodeBase64Text } from '@millpond/protocol';
import sharp, { type Metadata } from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { colorAt, type MediaBench, openMediaBench } from './media.testing.ts';

let bench: MediaBench;
/** 120x80: red, with a blue square of 40 in the left upper corner. */
let flag: Buffer;
let photo: Buffer;

beforeAll(async () => {
  bench = await openMediaBench();
  const square = await box(40, 40, '#0000ff').png().toBuffer();
  flag = await box(120, 80, '#ff0000')
    .composite([{ input: square, left: 0, top: 0 }])
    .png()
    .toBuffer();
  photo = bench.make('photo.png', ['-f', 'lavfi', '-i', 'testsrc2=s=640x400:d=1', '-frames:v', '1']);
  photo = await sharp(photo).jpeg({ quality: 85 }).toBuffer();
});
afterAll(() => bench.close());

const b64 = encodeBase64Text;
const url = b64('http://pond.example/x');

function box(width: number, height: number, background: string) {
  return sharp({ create: { width, height, channels: 3, background } });
}

interface ImageSummary extends Pick<Metadata, 'format' | 'width' | 'height'> {
  readonly bytes: Buffer;
  at(x: number, y: number): string;
}

async function make(command: string, sources: readonly Buffer[]): Promise<ImageSummary> {
  const { bytes, mimeType } = await bench.run(command, sources);
  const { format, width, height } = await sharp(bytes).metadata();
  expect(mimeType).toBe(`image/${format === 'heif' ? 'avif' : format}`);
  const pixels = await sharp(bytes).flatten({ background: '#ffffff' }).toColourspace('srgb').raw().toBuffer();
  return { bytes, format, width, height, at: (x, y) => colorAt(pixels, y * width + x) };
}

describe('imageView2', () => {
  test.each([
    ['0/w/320/h/100', 160, 100],
    ['1/w/100/h/100', 100, 100],
    ['1/w/100', 100, 100],
    ['2/w/320', 320, 200],
    ['2/h/100', 160, 100],
    ['3/w/100/h/100', 160, 100],
    ['4/w/320/h/50', 320, 200],
    ['5/w/320/h/50', 320, 50],
    ['2/w/5000', 640, 400],
    ['2', 640, 400],
  ])('%s of 640x400 is %dx%d', async (parameters, width, height) => {
    expect(await make(`imageView2/${parameters}`, [photo])).toMatchObject({ width, height, format: 'jpeg' });
  });

  test('long and short sides of an upright image are swapped', async () => {
    const upright = await sharp(photo).rotate(90).jpeg().toBuffer();
    expect(await make('imageView2/0/w/320/h/100', [upright])).toMatchObject({ width: 100, height: 160 });
    expect(await make('imageView2/5/w/320/h/50', [upright])).toMatchObject({ width: 50, height: 320 });
  });

  test('the cut is from the centre', async () => {
    const made = await make('imageView2/1/w/80/h/80', [flag]);
    expect([made.at(5, 5), made.at(15, 5), made.at(25, 5), made.at(5, 45)]).toEqual([
      'blue',
      'blue',
      'red',
      'red',
    ]);
  });

  test.each(['jpg', 'png', 'webp', 'gif', 'avif', 'tiff'])('format %s', async (format) => {
    const made = await make(`imageView2/2/w/60/format/${format}`, [flag]);
    expect(made.format).toBe({ jpg: 'jpeg', avif: 'heif' }[format] ?? format);
    expect(made).toMatchObject({ width: 60, height: 40 });
    expect([made.at(10, 10), made.at(50, 30)]).toEqual(['blue', 'red']);
  });

  test('turned as Exif says, and small images stay as small as they are', async () => {
    const turned = await sharp(flag).jpeg().withMetadata({ orientation: 6 }).toBuffer();
    const made = await make('imageView2/2/w/500', [turned]);
    expect(made).toMatchObject({ width: 80, height: 120 });
    expect([made.at(70, 10), made.at(10, 10)]).toEqual(['blue', 'red']);
    expect((await sharp(made.bytes).metadata()).orientation).toBeUndefined();
  });

  test('interlace and quality', async () => {
    expect(
      (await sharp((await make('imageView2/2/interlace/1', [photo])).bytes).metadata()).isProgressive,
    ).toBe(true);
    const sizes: number[] = [];
    for (const q of ['10', '50', '85!', '100!'])
      sizes.push((await make(`imageView2/2/q/${q}`, [photo])).bytes.length);
    expect(sizes).toEqual(sizes.toSorted((one, other) => one - other));
    // Not better than the source was, unless it is asked for exactly.
    const poor = await sharp(photo).jpeg({ quality: 30 }).toBuffer();
    const same = await make('imageView2/2/q/90', [poor]);
    const exact = await make('imageView2/2/q/90!', [poor]);
    expect(same.bytes.length).toBeLessThan(poor.length * 1.1);
    expect(exact.bytes.length).toBeGreaterThan(same.bytes.length * 1.5);
  });

  test('an animated image stays animated', async () => {
    const moving = bench.make('moving.gif', ['-f', 'lavfi', '-i', 'testsrc2=s=60x40:r=5:d=2', '-loop', '0']);
    // Frames that look alike may become one that is shown for longer.
    const duration = async (bytes: Buffer): Promise<number | undefined> =>
      (await sharp(bytes).metadata()).delay?.reduce((sum, delay) => sum + delay, 0);
    for (const format of ['gif', 'webp']) {
      const { bytes } = await make(`imageView2/1/w/20/h/20/format/${format}`, [moving]);
      expect(await sharp(bytes).metadata()).toMatchObject({ width: 20, loop: 0 });
      expect(await duration(bytes)).toBe(await duration(moving));
    }
    const turned = await make('imageMogr2/rotate/90', [moving]);
    expect(await sharp(turned.bytes).metadata()).toMatchObject({ width: 40, height: 60 });
    expect(await duration(turned.bytes)).toBe(await duration(moving));
    const still = await make('imageView2/2/w/30/format/jpg', [moving]);
    expect(still).toMatchObject({ format: 'jpeg', width: 30 });
  });

  test('transparent becomes white in a jpg', async () => {
    const glass = await sharp({ create: { width: 20, height: 20, channels: 4, background: '#00000000' } })
      .png()
      .toBuffer();
    expect((await make('imageView2/2/format/jpg', [glass])).at(5, 5)).toBe('white');
  });

  test('bmp and psd are read', async () => {
    const bmp = bench.make('x.bmp', ['-f', 'lavfi', '-i', 'color=red:s=40x20', '-frames:v', '1']);
    const made = await make('imageView2/2/w/20/format/png', [bmp]);
    expect(made).toMatchObject({ width: 20, height: 10, format: 'png' });
    expect(made.at(5, 5)).toBe('red');
  });
});

describe('imageMogr2', () => {
  test.each([
    ['thumbnail/!50p', 60, 40],
    ['thumbnail/!50px', 60, 80],
    ['thumbnail/!x50p', 120, 40],
    ['thumbnail/30x', 30, 20],
    ['thumbnail/x40', 60, 40],
    ['thumbnail/60x60', 60, 40],
    ['thumbnail/!60x60r', 90, 60],
    ['thumbnail/50x70!', 50, 70],
    ['thumbnail/500x500>', 120, 80],
    ['thumbnail/500x500<', 500, 333],
    ['thumbnail/2400@', 60, 40],
    ['crop/50x30', 50, 30],
    ['crop/50x', 50, 80],
    ['crop/!300x300a20a10', 100, 70],
    ['rotate/90', 80, 120],
    ['rotate/45', 141, 141],
    ['rotate/360', 120, 80],
    ['strip', 120, 80],
  ])('%s of 120x80 is %dx%d', async (operations, width, height) => {
    expect(await make(`imageMogr2/${operations}`, [flag])).toMatchObject({ width, height });
  });

  test('a cut is where the gravity says', async () => {
    expect((await make('imageMogr2/crop/30x30', [flag])).at(15, 15)).toBe('blue');
    expect((await make('imageMogr2/gravity/SouthEast/crop/30x30', [flag])).at(15, 15)).toBe('red');
    const centre = await make('imageMogr2/gravity/Center/crop/!60x40-20-10', [flag]);
    expect([centre.at(2, 2), centre.at(50, 30)]).toEqual(['blue', 'red']);
  });

  test('operations happen in the order in which they are written', async () => {
    const one = await make('imageMogr2/crop/40x40/thumbnail/20x20!', [flag]);
    expect([one.width, one.height, one.at(18, 18)]).toEqual([20, 20, 'blue']);
    const other = await make('imageMogr2/thumbnail/60x40!/crop/40x40', [flag]);
    expect([other.width, other.height, other.at(18, 18), other.at(25, 5)]).toEqual([40, 40, 'blue', 'red']);
    const turnedFirst = await make('imageMogr2/rotate/90/crop/40x40', [flag]);
    expect([turnedFirst.at(5, 5), turnedFirst.at(35, 35)]).toEqual(['red', 'red']);
    const cutFirst = await make('imageMogr2/crop/60x40/rotate/90/crop/40x40', [flag]);
    expect([cutFirst.at(20, 5), cutFirst.at(20, 35)]).toEqual(['blue', 'blue']);
    const twice = await make('imageMogr2/thumbnail/!50p/thumbnail/!50p/crop/20x10/thumbnail/!200p', [flag]);
    expect([twice.width, twice.height]).toEqual([40, 20]);
  });

  test('turned clockwise; the corners have the background', async () => {
    const quarter = await make('imageMogr2/rotate/90', [flag]);
    expect([quarter.at(70, 10), quarter.at(10, 10)]).toEqual(['blue', 'red']);
    expect((await make('imageMogr2/rotate/45', [flag])).at(1, 1)).toBe('white');
    expect((await make(`imageMogr2/rotate/45/background/${b64('#0000ff')}`, [flag])).at(1, 1)).toBe('blue');
  });

  test('auto-orient first, or later', async () => {
    const turned = await sharp(flag).jpeg().withMetadata({ orientation: 6 }).toBuffer();
    expect(await make('imageMogr2/thumbnail/!100p', [turned])).toMatchObject({ width: 120, height: 80 });
    const first = await make('imageMogr2/auto-orient/thumbnail/40x', [turned]);
    const later = await make('imageMogr2/thumbnail/x40/auto-orient', [turned]);
    for (const made of [first, later]) {
      expect(made).toMatchObject({ width: 40, height: 60 });
      expect([made.at(35, 5), made.at(5, 5)]).toEqual(['blue', 'red']);
    }
    const mirrored = await sharp(flag).jpeg().withMetadata({ orientation: 5 }).toBuffer();
    const reference = await sharp(mirrored).autoOrient().raw().toBuffer();
    const made = await make('imageMogr2/thumbnail/!50p/thumbnail/!200p/auto-orient', [mirrored]);
    for (const [x, y] of [
      [10, 10],
      [70, 10],
      [10, 110],
      [70, 110],
    ] as const)
      expect(made.at(x, y)).toBe(colorAt(reference, y * 80 + x));
  });

  test('metadata stay unless they are stripped', async () => {
    const told = await sharp(flag)
      .jpeg()
      .withExif({ IFD0: { Artist: 'Miller' } })
      .toBuffer();
    const exifOf = async (command: string) =>
      (await sharp((await make(command, [told])).bytes).metadata()).exif;
    expect((await exifOf('imageMogr2/thumbnail/!50p'))?.includes('Miller')).toBe(true);
    expect(await exifOf('imageMogr2/thumbnail/!50p/strip')).toBeUndefined();
    expect(await exifOf('imageView2/2/w/20')).toBeUndefined();
  });

  test('blur and sharpen change neighbours, not the whole', async () => {
    const soft = await make('imageMogr2/blur/3x5', [flag]);
    expect([soft.at(5, 5), soft.at(110, 70)]).toEqual(['blue', 'red']);
    expect(soft.at(40, 20)).toMatch(/^rgb/);
    expect((await make('imageMogr2/sharpen/1', [flag])).at(5, 5)).toBe('blue');
  });

  test('size-limit lowers the quality; with ! the smaller source comes back', async () => {
    expect((await make('imageMogr2/size-limit/8k', [photo])).bytes.length).toBeLessThanOrEqual(8192);
    const small = await sharp(photo).jpeg({ quality: 5 }).toBuffer();
    const { bytes } = await bench.run('imageMogr2/quality/95!/size-limit/$(fsize)!', [small]);
    expect(bytes.length).toBeLessThanOrEqual(small.length);
  });

  test('colours are counted', async () => {
    const made = await make('imageMogr2/format/png/colors/4', [photo]);
    expect((await sharp(made.bytes).metadata()).isPalette).toBe(true);
  });

  test('what cannot be done fails, or with ignore-error gives the source', async () => {
    expect(await bench.failure('imageMogr2/crop/!10x10a500a0', [flag])).toMatchObject({ reason: 'source' });
    expect(
      (await bench.failure('imageMogr2/thumbnail/x14999', [await box(2000, 10, '#ff0000').png().toBuffer()]))
        .message,
    ).toContain('too large');
    expect((await bench.failure('imageView2/2/w/10', [Buffer.from('no image')])).reason).toBe('source');
    const { bytes } = await bench.run('imageView2/2/w/10/ignore-error/1', [Buffer.from('no image')]);
    expect(bytes.toString()).toBe('no image');
  });
});

/** A PNG of these sides of which only the head has arrived: nothing can decode it. */
function headOfPng(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const named = Buffer.concat([Buffer.from(type), data]);
    const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    check.writeUInt32BE(crc32(named));
    return Buffer.concat([length, named, check]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head[8] = 1;
  const begun = chunk('IDAT', deflateSync(Buffer.alloc(100_000)).subarray(0, 50));
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), chunk('IHDR', head), begun]);
}

describe('what would be too large is refused before a pixel is decoded', () => {
  const large = headOfPng(11_000, 11_000);
  test.each([
    ['imageMogr2/rotate/33', '15216x15216'],
    ['imageMogr2/rotate/90', '11000x11000'],
    ['imageMogr2/auto-orient/rotate/1', '11190x11190'],
    ['imageMogr2/blur/1x1', '11000x11000'],
    ['imageMogr2/crop/9000x9000', '9000x9000'],
    ['imageMogr2/thumbnail/7000x7000!/rotate/45', '9899x9899'],
    ['imageMogr2/thumbnail/!90p', '9900x9900'],
    ['imageView2/1/w/9000/h/9000', '9000x9000'],
    [`watermark/2/text/${b64('a')}`, '11000x11000'],
  ])('%s of 11000x11000 would be %s', async (command, size) => {
    await expect(bench.run(command, [large])).rejects.toThrow(
      `the image would be ${size}, which is too large`,
    );
  });

  test('also a mark, of an image or of a text', async () => {
    const thin = headOfPng(10, 20_000);
    const wide = `watermark/1/image/${url}/ws/1/wst/2`;
    await expect(bench.run(wide, [photo, thin])).rejects.toThrow(
      'a mark would be 640x1280000, which is too large',
    );
    const letters = b64('WWWWWWWWWWWWWWWW');
    expect(await make(`watermark/2/text/${letters}/fontsize/20000`, [photo])).toMatchObject({ width: 640 });
    const tiled = `watermark/4/text/${letters}/fontsize/20000/rotate/45`;
    await expect(bench.run(tiled, [photo])).rejects.toThrow(
      'a mark would be 12414x12414, which is too large',
    );
  });

  test('and all frames of an animation together', async () => {
    const frames = await Promise.all(
      ['#ff0000', '#00ff00'].map((color) => box(20, 20, color).ensureAlpha().raw().toBuffer()),
    );
    const raw = { width: 20, height: 40, channels: 4, pageHeight: 20 } as const;
    const moving = await sharp(Buffer.concat(frames), { raw }).gif().toBuffer();
    expect(await make('imageMogr2/thumbnail/40x40!', [moving])).toMatchObject({ width: 40 });
    await expect(bench.run('imageMogr2/thumbnail/7000x7000!', [moving])).rejects.toThrow(
      'the animation would be too large',
    );
  });
});

describe('watermark', () => {
  const mark = (): Promise<Buffer> => box(20, 10, '#0000ff').png().toBuffer();
  let plain: Buffer;
  beforeAll(async () => {
    plain = await box(120, 80, '#ff0000').png().toBuffer();
  });

  test.each([
    ['NorthWest', 15, 15, 105, 65],
    ['NorthEast', 105, 15, 15, 15],
    ['SouthWest', 15, 65, 15, 15],
    ['SouthEast', 105, 65, 15, 15],
    ['Center', 60, 40, 15, 15],
    ['North', 60, 15, 60, 40],
    ['East', 105, 40, 60, 40],
  ])('1 at %s', async (gravity, x, y, elsewhereX, elsewhereY) => {
    const made = await make(`watermark/1/image/${url}/gravity/${gravity}`, [plain, await mark()]);
    expect([made.at(x, y), made.at(elsewhereX, elsewhereY)]).toEqual(['blue', 'red']);
  });

  test('1: distance, share of the image, opacity, over and over, larger than the image', async () => {
    const near = await make(`watermark/1/image/${url}/dx/0/dy/0`, [plain, await mark()]);
    expect([near.at(119, 79), near.at(98, 79)]).toEqual(['blue', 'red']);
    const half = await make(`watermark/1/image/${url}/gravity/Center/ws/0.5/wst/2`, [plain, await mark()]);
    expect([half.at(60, 40), half.at(33, 40), half.at(27, 40), half.at(60, 28)]).toEqual([
      'blue',
      'blue',
      'red',
      'blue',
    ]);
    const faint = await make(`watermark/1/image/${url}/dissolve/50/gravity/Center`, [plain, await mark()]);
    expect(faint.at(60, 40)).toMatch(/^rgb\(12[5-9],0,12[5-9]\)$/);
    const tiled = await make(`watermark/1/image/${url}/tile/1`, [plain, await mark()]);
    expect([tiled.at(0, 0), tiled.at(119, 79), tiled.at(60, 40)]).toEqual(['blue', 'blue', 'blue']);
    const huge = await box(500, 500, '#0000ff').png().toBuffer();
    expect(await make(`watermark/1/image/${url}`, [plain, huge])).toMatchObject({ width: 120, height: 80 });
  });

  test('2: a text, with whatever is in it', async () => {
    const text = b64('██ <b>&"\'');
    const made = await make(`watermark/2/text/${text}/fill/${b64('blue')}/fontsize/400/gravity/West/dx/0`, [
      plain,
    ]);
    expect(made.at(6, 40)).toBe('blue');
    expect(made.at(6, 5)).toBe('red');
  });

  test('3: several, in order', async () => {
    const text = b64('█');
    const command = `watermark/3/image/${url}/gravity/NorthWest/dx/0/dy/0/image/${url}/gravity/NorthWest/dx/10/dy/0/text/${text}/fill/${b64('lime')}/gravity/SouthEast`;
    const made = await make(command, [plain, await mark(), await box(20, 10, '#ffff00').png().toBuffer()]);
    expect([made.at(5, 5), made.at(15, 5), made.at(25, 5)]).toEqual(['blue', 'yellow', 'yellow']);
    const greens = [...Array(120 * 80).keys()].filter(
      (pixel) => made.at(pixel % 120, Math.floor(pixel / 120)) === 'lime',
    );
    expect(Math.min(...greens.map((pixel) => pixel % 120))).toBeGreaterThan(60);
  });

  test('4: a text over and over', async () => {
    const made = await make(`watermark/4/text/${b64('█')}/fontsize/200/uw/5/uh/5/fill/${b64('blue')}`, [
      plain,
    ]);
    const blues = [...Array(120 * 80).keys()].filter(
      (pixel) => made.at(pixel % 120, Math.floor(pixel / 120)) === 'blue',
    );
    for (const [from, to] of [
      [0, 40],
      [80, 120],
    ] as const)
      expect(blues.some((pixel) => pixel % 120 >= from && pixel % 120 < to)).toBe(true);
    const turned = await make(`watermark/4/text/${b64('abc')}/rotate/45`, [plain]);
    expect(turned).toMatchObject({ width: 120, height: 80 });
  });
});

describe('what is told of an image', () => {
  test('imageInfo, imageAve, exif', async () => {
    const tell = async (command: string, source: Buffer): Promise<unknown> => {
      const { bytes, mimeType } = await bench.run(command, [source]);
      expect(mimeType).toBe('application/json');
      return JSON.parse(bytes.toString());
    };
    const plain = await box(120, 80, '#ff0000').png().toBuffer();
    expect(await tell('imageInfo', plain)).toEqual({
      size: plain.length,
      format: 'png',
      width: 120,
      height: 80,
      colorModel: 'rgba',
    });
    expect(await tell('imageAve', await box(10, 10, '#85694d').png().toBuffer())).toEqual({
      RGB: '0x85694d',
    });
    const told = await sharp(flag)
      .jpeg()
      .withExif({ IFD0: { Artist: 'Miller' } })
      .toBuffer();
    expect(await tell('exif', told)).toMatchObject({ Artist: { type: 2, val: 'Miller' } });
    expect((await bench.failure('exif', [flag])).message).toBe('no exif data');
  });
});
