import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cropArea, cropForm, thumbnailForm, thumbnailSize, viewSize } from './geometry.ts';
import type { Anchor } from './video/media-forms.ts';

const size = (width: number, height: number) => ({ width, height });
const side = fc.integer({ min: 1, max: 12_000 });
const image = fc.record({ width: side, height: side });

function thumbnail(form: string, width: number, height: number): [number, number] {
  const read = thumbnailForm.read(form);
  if (read === undefined) throw new Error(`not read: ${form}`);
  const result = thumbnailSize(read, { width, height });
  return [result.width, result.height];
}

/** Computed with ImageMagick 6's own rules. */
test.each<[string, [number, number], [number, number]]>([
  ['!50p', [641, 427], [321, 214]],
  ['!50px', [640, 427], [320, 427]],
  ['!x50p', [640, 428], [640, 214]],
  ['300x', [640, 427], [300, 200]],
  ['x300', [640, 427], [450, 300]],
  ['300x300', [640, 427], [300, 200]],
  ['!300x300r', [640, 427], [450, 300]],
  ['300x300!', [640, 427], [300, 300]],
  ['1000x1000>', [640, 427], [640, 427]],
  ['300x1000>', [640, 427], [300, 200]],
  ['1000x1000<', [640, 427], [1000, 667]],
  ['300x1000<', [640, 427], [640, 427]],
  ['60000@', [640, 427], [299, 200]],
  ['1x1', [1000, 10], [1, 1]],
])('thumbnail %s of %j is %j', (form, [width, height], expected) => {
  expect(thumbnail(form, width, height)).toEqual(expected);
});

test.each(['', 'x', '!p', '0x', '15000x', '!10x10', '10x10r', '!x5px', '5x!', '@', '!0p', 'ax', '5'])(
  'thumbnail %s is refused',
  (form) => expect(thumbnailForm.read(form)).toBeUndefined(),
);

test.each<
  [0 | 1 | 2 | 3 | 4 | 5, number | undefined, number | undefined, [number, number], [number, number]]
>([
  [0, 200, 100, [640, 400], [160, 100]],
  [0, 200, 100, [400, 640], [100, 160]],
  [0, 200, undefined, [400, 640], [125, 200]],
  [1, 200, 200, [640, 400], [200, 200]],
  [1, 200, undefined, [640, 400], [200, 200]],
  [1, 900, 100, [640, 400], [640, 100]],
  [2, 200, 200, [640, 400], [200, 125]],
  [2, undefined, 100, [640, 400], [160, 100]],
  [2, undefined, undefined, [640, 400], [640, 400]],
  [3, 200, 200, [640, 400], [320, 200]],
  [4, 300, 100, [400, 640], [188, 300]],
  [5, 300, 100, [400, 640], [100, 300]],
])('imageView2 mode %d, w %s, h %s of %j is %j', (mode, w, h, [width, height], expected) => {
  const { resize, crop } = viewSize(mode, w, h, { width, height });
  const { width: gotWidth, height: gotHeight } = crop ?? resize;
  expect([gotWidth, gotHeight]).toEqual(expected);
});

test('no mode of imageView2 makes an image larger, and sizes are whole and at least 1', () => {
  const modes = fc.constantFrom(0 as const, 1 as const, 2 as const, 3 as const, 4 as const, 5 as const);
  fc.assert(
    fc.property(modes, fc.option(side, { nil: undefined }), side, image, (mode, w, h, source) => {
      const { resize, crop } = viewSize(mode, w, h, source);
      for (const { width, height } of [resize, crop ?? resize]) {
        expect(width).toBeLessThanOrEqual(source.width);
        expect(height).toBeLessThanOrEqual(source.height);
        expect(Math.min(width, height)).toBeGreaterThanOrEqual(1);
        expect(Number.isInteger(width) && Number.isInteger(height)).toBe(true);
      }
    }),
  );
});

test('a thumbnail that fits keeps its proportions to the pixel', () => {
  fc.assert(
    fc.property(side, side, image, (width, height, source) => {
      const result = thumbnailSize({ kind: 'box', fit: 'inside', width, height }, source);
      expect(result.width).toBeLessThanOrEqual(width);
      expect(result.height).toBeLessThanOrEqual(height);
      expect(result.width === width || result.height === height).toBe(true);
    }),
  );
});

describe('crop', () => {
  const cut = (form: string, gravity: Anchor, width: number, height: number) => {
    const crop = cropForm.read(form);
    return crop === undefined ? 'refused' : cropArea(crop, gravity, { width, height });
  };

  test.each<[string, Anchor, object]>([
    ['100x50', 'NorthWest', { left: 0, top: 0, width: 100, height: 50 }],
    ['100x50', 'Center', { left: 50, top: 25, width: 100, height: 50 }],
    ['100x50', 'SouthEast', { left: 100, top: 50, width: 100, height: 50 }],
    ['!100x50a10a5', 'SouthEast', { left: 90, top: 45, width: 100, height: 50 }],
    ['!100x50a10a5', 'NorthWest', { left: 10, top: 5, width: 100, height: 50 }],
    ['!100x50-30a5', 'NorthWest', { left: 0, top: 5, width: 70, height: 50 }],
    ['300x', 'North', { left: 0, top: 0, width: 200, height: 100 }],
    ['x30', 'South', { left: 0, top: 70, width: 200, height: 30 }],
  ])('%s at %s of 200x100', (form, gravity, area) => {
    expect(cut(form, gravity, 200, 100)).toEqual(area);
  });

  test('nothing is left of a cut beyond the image', () => {
    expect(cut('!10x10a500a0', 'NorthWest', 200, 100)).toBeUndefined();
  });

  test('never reaches beyond the image', () => {
    const distance = fc.integer({ min: -300, max: 300 });
    fc.assert(
      fc.property(image, side, side, distance, distance, (source, width, height, dx, dy) => {
        const area = cropArea({ width, height, dx, dy }, 'East', source);
        if (area === undefined) return;
        expect(area.left).toBeGreaterThanOrEqual(0);
        expect(area.top).toBeGreaterThanOrEqual(0);
        expect(area.left + area.width).toBeLessThanOrEqual(source.width);
        expect(area.top + area.height).toBeLessThanOrEqual(source.height);
        expect(size(area.width, area.height)).not.toEqual(size(0, 0));
      }),
    );
  });
});
