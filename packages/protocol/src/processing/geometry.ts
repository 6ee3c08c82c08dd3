/**
 * Sizes of images: the thumbnail and crop forms of imageMogr2 and the modes of imageView2, parsed and computed. Pure
 * numbers; rounding is that of ImageMagick 6, which Qiniu's answers follow.
 */

import type { ValueSyntax } from './value-forms.ts';
import type { Anchor } from './video/media-forms.ts';

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Area extends Size {
  readonly left: number;
  readonly top: number;
}

/** How a thumbnail's size follows from that of the image. */
export type Thumbnail =
  | { readonly kind: 'percent'; readonly of: 'both' | 'width' | 'height'; readonly percent: number }
  | { readonly kind: 'width' | 'height'; readonly pixels: number }
  | { readonly kind: 'area'; readonly pixels: number }
  | { readonly kind: 'box'; readonly fit: BoxFit; readonly width: number; readonly height: number };
/** inside: fits in; cover: fills; exact: distorts; smaller, larger: fits in, but only shrinks or only enlarges. */
export type BoxFit = 'inside' | 'cover' | 'exact' | 'smaller' | 'larger';

const MAX_SIDE = 14_999;
const FITS: Readonly<Record<string, BoxFit>> = { '': 'inside', '!': 'exact', '>': 'smaller', '<': 'larger' };
const MARKS: Readonly<Record<BoxFit, string>> = {
  inside: '',
  exact: '!',
  smaller: '>',
  larger: '<',
  cover: 'r',
};

export const thumbnailForm: ValueSyntax<Thumbnail> = {
  form: '!<p>p, !<p>px, !x<p>p, <w>x, x<h>, <w>x<h>, !<w>x<h>r, <w>x<h>!, <w>x<h>>, <w>x<h>< or <area>@',
  read: (text) => readPercent(text) ?? readArea(text) ?? readBox(text),
  print: printThumbnail,
};

function readPercent(text: string): Thumbnail | undefined {
  const [, before, digits, after] = /^!(x?)([0-9]{1,3})p(x?)$/.exec(text) ?? [];
  const percent = Number(digits);
  if (digits === undefined || percent < 1 || percent > 999 || (before !== '' && after !== ''))
    return undefined;
  return { kind: 'percent', of: before === 'x' ? 'height' : after === 'x' ? 'width' : 'both', percent };
}

function readArea(text: string): Thumbnail | undefined {
  const [, digits] = /^([1-9][0-9]{0,8})@$/.exec(text) ?? [];
  return digits === undefined ? undefined : { kind: 'area', pixels: Number(digits) };
}

function readBox(text: string): Thumbnail | undefined {
  const cover = /^!([0-9]{1,5})x([0-9]{1,5})r$/.exec(text);
  const [, width = '', height = '', mark = ''] =
    cover ?? /^([0-9]{0,5})x([0-9]{0,5})([!<>]?)$/.exec(text) ?? [];
  if (!isSide(width) || !isSide(height)) return undefined;
  if (width !== '' && height !== '') {
    const fit = cover === null ? FITS[mark] : 'cover';
    return fit && { kind: 'box', fit, width: Number(width), height: Number(height) };
  }
  if (mark !== '' || width + height === '') return undefined;
  return width === '' ? { kind: 'height', pixels: Number(height) } : { kind: 'width', pixels: Number(width) };
}

function isSide(digits: string): boolean {
  return digits === '' || (Number(digits) >= 1 && Number(digits) <= MAX_SIDE);
}

function printThumbnail(thumbnail: Thumbnail): string {
  switch (thumbnail.kind) {
    case 'percent': {
      const { of, percent } = thumbnail;
      return `!${of === 'height' ? 'x' : ''}${percent}p${of === 'width' ? 'x' : ''}`;
    }
    case 'width':
      return `${thumbnail.pixels}x`;
    case 'height':
      return `x${thumbnail.pixels}`;
    case 'area':
      return `${thumbnail.pixels}@`;
    case 'box': {
      const { fit, width, height } = thumbnail;
      return `${fit === 'cover' ? '!' : ''}${width}x${height}${MARKS[fit]}`;
    }
  }
}

function round(pixels: number): number {
  return Math.max(1, Math.floor(pixels + 0.5));
}

export function thumbnailSize(thumbnail: Thumbnail, { width, height }: Size): Size {
  switch (thumbnail.kind) {
    case 'percent': {
      const { of, percent } = thumbnail;
      return {
        width: of === 'height' ? width : round((width * percent) / 100),
        height: of === 'width' ? height : round((height * percent) / 100),
      };
    }
    case 'width':
      return { width: thumbnail.pixels, height: round((height * thumbnail.pixels) / width) };
    case 'height':
      return { width: round((width * thumbnail.pixels) / height), height: thumbnail.pixels };
    case 'area': {
      const factor = Math.sqrt(thumbnail.pixels / (width * height));
      return {
        width: Math.max(1, Math.floor(width * factor)),
        height: Math.max(1, Math.floor(height * factor)),
      };
    }
    case 'box':
      return boxSize(thumbnail, { width, height });
  }
}

function boxSize(box: Size & { readonly fit: BoxFit }, source: Size): Size {
  const { width, height } = source;
  if (box.fit === 'exact') return { width: box.width, height: box.height };
  if (box.fit === 'smaller' && width <= box.width && height <= box.height) return source;
  if (box.fit === 'larger' && (width >= box.width || height >= box.height)) return source;
  const wider = box.width / width > box.height / height;
  return wider === (box.fit === 'cover')
    ? { width: box.width, height: round((height * box.width) / width) }
    : { width: round((width * box.height) / height), height: box.height };
}

export interface ViewSize {
  readonly resize: Size;
  /** Cut from the centre afterwards. */
  readonly crop: Size | undefined;
}

/** imageView2, mode 0 to 5. Never larger than the source. */
export function viewSize(
  mode: 0 | 1 | 2 | 3 | 4 | 5,
  w: number | undefined,
  h: number | undefined,
  { width, height }: Size,
): ViewSize {
  const atLeast = mode === 1 || mode >= 3;
  const bySides = mode === 0 || mode >= 4;
  const missing = Number.POSITIVE_INFINITY;
  const first = w ?? (atLeast ? (h ?? missing) : missing);
  const second = h ?? (atLeast ? (w ?? missing) : missing);
  const upright = bySides && width < height;
  const [boxWidth, boxHeight] = upright ? [second, first] : [first, second];
  const factors = [boxWidth / width, boxHeight / height] as const;
  const factor = Math.min(1, atLeast ? Math.max(...factors) : Math.min(...factors));
  const resize = { width: round(width * factor), height: round(height * factor) };
  if (mode !== 1 && mode !== 5) return { resize, crop: undefined };
  return {
    resize,
    crop: { width: Math.min(resize.width, boxWidth), height: Math.min(resize.height, boxHeight) },
  };
}

/** The upright box around an image that was rotated, as far as arithmetic knows: engines may differ by a pixel. */
export function rotatedSize(degrees: number, { width, height }: Size): Size {
  const sine = Math.abs(Math.sin((degrees * Math.PI) / 180));
  const cosine = Math.abs(Math.cos((degrees * Math.PI) / 180));
  return {
    width: Math.round(width * cosine + height * sine),
    height: Math.round(width * sine + height * cosine),
  };
}

/** A crop: its size (a missing side is that of the image) and its distance from the anchor. */
export interface Crop {
  readonly width: number | undefined;
  readonly height: number | undefined;
  readonly dx: number;
  readonly dy: number;
}

export const cropForm: ValueSyntax<Crop> = {
  form: '<w>x<h>, <w>x, x<h> or !<w>x<h>, then optionally a<dx>a<dy> with a or - before each distance',
  read(text) {
    const [, mark, width = '', height = '', dx, dy] =
      /^(!?)([0-9]{0,5})x([0-9]{0,5})(?:([a-][0-9]{1,5})([a-][0-9]{1,5}))?$/.exec(text) ?? [];
    if (mark === undefined || width + height === '' || !isSide(width) || !isSide(height)) return undefined;
    if (dx !== undefined && mark === '') return undefined;
    return {
      width: width === '' ? undefined : Number(width),
      height: height === '' ? undefined : Number(height),
      dx: readDistance(dx),
      dy: readDistance(dy),
    };
  },
  print({ width, height, dx, dy }) {
    const size = `${width ?? ''}x${height ?? ''}`;
    return dx === 0 && dy === 0 ? size : `!${size}${printDistance(dx)}${printDistance(dy)}`;
  },
};

function readDistance(text: string | undefined): number {
  if (text === undefined) return 0;
  const pixels = Number(text.slice(1));
  return text.startsWith('-') && pixels !== 0 ? -pixels : pixels;
}

function printDistance(pixels: number): string {
  return `${pixels < 0 ? '-' : 'a'}${Math.abs(pixels)}`;
}

/** The area that is cut out: never beyond the image; undefined if nothing would be left. */
export function cropArea(crop: Crop, gravity: Anchor, image: Size): Area | undefined {
  const width = crop.width ?? image.width;
  const height = crop.height ?? image.height;
  const at = anchored(gravity, { width, height }, image);
  // Distances are measured from the anchored edge.
  const left = at.left + (/East$/.test(gravity) ? -crop.dx : crop.dx);
  const top = at.top + (/^South/.test(gravity) ? -crop.dy : crop.dy);
  const right = Math.min(image.width, left + width);
  const bottom = Math.min(image.height, top + height);
  const inside = { left: Math.max(0, left), top: Math.max(0, top) };
  if (right <= inside.left || bottom <= inside.top) return undefined;
  return { ...inside, width: right - inside.left, height: bottom - inside.top };
}

/** The position of the upper left corner of an inner rectangle; negative if it is larger than the outer one. */
export function anchored(gravity: Anchor, inner: Size, outer: Size): { left: number; top: number } {
  const across = outer.width - inner.width;
  const down = outer.height - inner.height;
  const left = /West$/.test(gravity) ? 0 : /East$/.test(gravity) ? across : Math.floor(across / 2);
  const top = /^North/.test(gravity) ? 0 : /^South/.test(gravity) ? down : Math.floor(down / 2);
  return { left, top };
}
