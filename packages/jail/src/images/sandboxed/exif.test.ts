import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readExif } from './exif.ts';

interface TiffEntry {
  readonly tag: number;
  readonly type: number;
  readonly count: number;
  readonly value: Uint8Array | { readonly directory: readonly TiffEntry[] };
}

/** Writes a TIFF structure with its main directory, those below it, and the thumbnail's. */
function writeTiff(main: readonly TiffEntry[], thumbnail: readonly TiffEntry[] = [], little = true): Buffer {
  const bytes = Buffer.alloc(8192);
  const put16 = (value: number, at: number) =>
    little ? bytes.writeUInt16LE(value, at) : bytes.writeUInt16BE(value, at);
  const put32 = (value: number, at: number) =>
    little ? bytes.writeUInt32LE(value, at) : bytes.writeUInt32BE(value, at);
  let free = 8;
  const directory = (entries: readonly TiffEntry[]): { start: number; end: number } => {
    const start = free;
    put16(entries.length, start);
    free += 2 + entries.length * 12 + 4;
    const end = free - 4;
    for (const [index, { tag, type, count, value }] of entries.entries()) {
      const at = start + 2 + index * 12;
      put16(tag, at);
      put16(type, at + 2);
      put32(count, at + 4);
      if (!(value instanceof Uint8Array)) put32(directory(value.directory).start, at + 8);
      else if (value.length <= 4) bytes.set(value, at + 8);
      else {
        put32(free, at + 8);
        bytes.set(value, free);
        free += value.length;
      }
    }
    return { start, end };
  };
  bytes.write(little ? 'II' : 'MM', 0, 'latin1');
  put16(42, 2);
  put32(8, 4);
  const first = directory(main);
  if (thumbnail.length > 0) put32(directory(thumbnail).start, first.end);
  return bytes.subarray(0, free);
}

const text = (tag: number, value: string): TiffEntry => ({
  tag,
  type: 2,
  count: value.length + 1,
  value: Buffer.from(`${value}\0`, 'latin1'),
});
const short = (tag: number, value: number, little = true): TiffEntry => {
  const bytes = Buffer.alloc(2);
  if (little) bytes.writeUInt16LE(value);
  else bytes.writeUInt16BE(value);
  return { tag, type: 3, count: 1, value: bytes };
};
const rationals = (
  tag: number,
  pairs: readonly (readonly [number, number])[],
  type = 5,
  little = true,
): TiffEntry => {
  const bytes = Buffer.alloc(pairs.length * 8);
  for (const [index, pair] of pairs.entries())
    for (const [side, value] of pair.entries()) {
      if (little) bytes.writeInt32LE(value, index * 8 + side * 4);
      else bytes.writeInt32BE(value, index * 8 + side * 4);
    }
  return { tag, type, count: pairs.length, value: bytes };
};
const below = (tag: number, directory: readonly TiffEntry[]): TiffEntry => ({
  tag,
  type: 4,
  count: 1,
  value: { directory },
});

describe('Qiniu’s own examples', () => {
  const example = writeTiff(
    [
      text(0x0132, '2011:11:19 17:09:23'),
      text(0x0110, 'Canon EOS 600D'),
      short(0x0128, 2),
      rationals(0x011a, [[240, 1]]),
      below(0x8769, [
        rationals(0x9204, [[1, 3]], 10),
        rationals(0x829a, [[1, 50]]),
        rationals(0x829d, [[18, 10]]),
        rationals(0x920a, [[4, 1]]),
        short(0x8827, 3200),
      ]),
      below(0x8825, [
        rationals(2, [
          [30, 1],
          [321341667, 10000000],
          [0, 1],
        ]),
        { tag: 5, type: 1, count: 1, value: Buffer.from([0]) },
        rationals(6, [[4763480, 10000]]),
        text(1, 'N'),
      ]),
    ],
    [short(0x0103, 6), rationals(0x011a, [[72, 1]])],
  );

  test('are answered as it answers them', () => {
    expect(readExif(example)).toEqual({
      DateTime: { type: 2, val: '2011:11:19 17:09:23' },
      Model: { type: 2, val: 'Canon EOS 600D' },
      ResolutionUnit: { type: 3, val: 'Inch' },
      XResolution: { type: 5, val: '240' },
      ExposureBiasValue: { type: 10, val: '0.33 EV' },
      ExposureTime: { type: 5, val: '1/50 sec.' },
      FNumber: { type: 5, val: 'f/1.8' },
      FocalLength: { type: 5, val: '4.0 mm' },
      ISOSpeedRatings: { type: 3, val: '3200' },
      GPSLatitude: { type: 5, val: '30, 32.1341667,  0' },
      GPSLatitudeRef: { type: 2, val: 'N' },
      GPSAltitude: { type: 5, val: '476.3480' },
      GPSAltitudeRef: { type: 1, val: 'Sea level' },
      'thumbnail:Compression': { type: 3, val: 'JPEG compression' },
      'thumbnail:XResolution': { type: 5, val: '72' },
    });
  });

  test('are read behind the word Exif, and in the other byte order', () => {
    expect(readExif(Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), example]))).toEqual(readExif(example));
    const big = writeTiff([short(0x0112, 6, false), rationals(0x011a, [[72, 1]], 5, false)], [], false);
    expect(readExif(big)).toEqual({
      Orientation: { type: 3, val: 'Right-top' },
      XResolution: { type: 5, val: '72' },
    });
  });
});

function wide(comment: string): TiffEntry {
  const value = Buffer.concat([Buffer.from('UNICODE\0', 'latin1'), Buffer.from(comment, 'utf16le')]);
  return { tag: 0x9286, type: 7, count: value.length, value };
}

test.each<[string, TiffEntry, string]>([
  ['a shutter speed', rationals(0x9201, [[564, 100]], 10), '5.64 EV (1/50 sec.)'],
  ['an aperture', rationals(0x9202, [[170, 100]]), '1.70 EV (f/1.8)'],
  ['a brightness', rationals(0x9203, [[3, 2]], 10), '1.50 EV (9.69 cd/m^2)'],
  ['a long exposure', rationals(0x829a, [[30, 1]]), '30 sec.'],
  ['a distance', rationals(0x9206, [[25, 10]]), '2.5 m'],
  ['no exposure at all', rationals(0x829a, [[0, 0]]), '0/0'],
  ['a version', { tag: 0x9000, type: 7, count: 4, value: Buffer.from('0221') }, 'Exif Version 2.21'],
  ['components', { tag: 0x9101, type: 7, count: 4, value: Buffer.from([1, 2, 3, 0]) }, 'Y Cb Cr -'],
  ['a comment', { tag: 0x9286, type: 7, count: 13, value: Buffer.from('ASCII\0\0\0hello') }, 'hello'],
  ['a wide comment', wide('湖水'), '湖水'],
  ['a maker’s note', { tag: 0x927c, type: 7, count: 9, value: Buffer.alloc(9) }, '9 bytes undefined data'],
  ['a choice without a word', short(0x9207, 77), '77'],
])('%s', (_, entry, expected) => {
  expect(Object.values(readExif(writeTiff([entry])) ?? {})).toEqual([{ type: entry.type, val: expected }]);
});

describe('hostile bytes', () => {
  test('that are no TIFF structure, or an empty one, hold nothing', () => {
    for (const bytes of [
      '',
      'II',
      'II*\0',
      'MM\0*\0\0\0\x08',
      'JJ*\0\x08\0\0\0',
      'Exif\0\0',
      'II*\0\xff\xff\xff\xff',
    ])
      expect(readExif(Buffer.from(bytes, 'latin1'))).toBeUndefined();
  });

  test('a directory that names itself is read once', () => {
    const loop = writeTiff([
      text(0x010f, 'Maker'),
      { tag: 0x8769, type: 4, count: 1, value: Buffer.from([8, 0, 0, 0]) },
    ]);
    expect(readExif(loop)).toEqual({ Make: { type: 2, val: 'Maker' } });
  });

  test('a value that claims to be larger than the data is passed over, the others stay', () => {
    const lie: TiffEntry = { tag: 0x010f, type: 2, count: 0xffffffff, value: Buffer.from([8, 0, 0, 0]) };
    expect(readExif(writeTiff([lie, text(0x0110, 'Model')]))).toEqual({ Model: { type: 2, val: 'Model' } });
  });

  const valid = writeTiff(
    [text(0x010f, 'Maker'), below(0x8769, [rationals(0x829a, [[1, 50]])]), below(0x8825, [text(1, 'N')])],
    [short(0x0103, 6)],
  );
  const mutated = fc
    .array(fc.tuple(fc.nat(valid.length - 1), fc.nat(255)), { minLength: 1, maxLength: 30 })
    .map((changes) => {
      const copy = Buffer.from(valid);
      for (const [at, value] of changes) copy[at] = value;
      return copy;
    });
  const anything = fc.oneof(
    fc.uint8Array({ maxLength: 400 }),
    fc.uint8Array({ maxLength: 400 }).map((tail) => Buffer.concat([valid.subarray(0, 8), tail])),
    mutated,
    mutated.chain((bytes) => fc.nat(bytes.length).map((length) => bytes.subarray(0, length))),
  );

  test('never make it throw, and what comes out is bounded and named', () => {
    fc.assert(
      fc.property(anything, (bytes) => {
        const exif = readExif(bytes) ?? {};
        for (const [tag, { type, val }] of Object.entries(exif)) {
          expect(tag).toMatch(/^(?:thumbnail:)?[A-Za-z0-9]+$/);
          expect(type).toBeGreaterThanOrEqual(1);
          expect(type).toBeLessThanOrEqual(12);
          expect(val.length).toBeLessThanOrEqual(1024);
        }
        expect(JSON.stringify(exif).length).toBeLessThan(64 * 1024);
      }),
      { numRuns: 3000 },
    );
  });

  test('a structure full of long texts is cut off at a bound', () => {
    const long = Buffer.alloc(60_000, 'x');
    long.write('II*\0', 0, 'latin1');
    long.writeUInt32LE(8, 4);
    long.writeUInt16LE(85, 8);
    const tags = Array.from({ length: 85 }, (_, index) => (index < 43 ? 0x0100 + index * 3 : 0x9000 + index));
    for (const [index, tag] of tags.entries()) {
      long.writeUInt16LE(tag, 10 + index * 12);
      long.writeUInt16LE(2, 12 + index * 12);
      long.writeUInt32LE(50_000, 14 + index * 12);
      long.writeUInt32LE(5000, 18 + index * 12);
    }
    expect(JSON.stringify(readExif(long)).length).toBeLessThan(48 * 1024);
  });
});
