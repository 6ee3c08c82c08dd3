/** Values that several commands share: bit rates, sizes, times, anchors, colours, fonts. */
import { encodeBase64Text } from '../../base64.ts';
import { decodeText, type ValueSyntax } from '../value-forms.ts';

/** Bits per second, written `128k` or `1.25m`. */
export function bitrate(minKilobits: number, maxKilobits: number): ValueSyntax<number> {
  return {
    form: `a rate such as 128k or 1.25m, from ${minKilobits}k to ${maxKilobits}k`,
    read(text) {
      const [, digits, unit] = /^([0-9]{1,7}(?:\.[0-9]{1,3})?)([kKmM])$/.exec(text) ?? [];
      if (digits === undefined || unit === undefined) return undefined;
      const bits = Math.round(Number(digits) * (unit.toLowerCase() === 'k' ? 1000 : 1_000_000));
      return bits >= minKilobits * 1000 && bits <= maxKilobits * 1000 ? bits : undefined;
    },
    print: (bits) => `${bits / 1000}k`,
  };
}

/** A frame to fit into. One side may be missing; `>` only shrinks, `<` only enlarges. */
export interface FrameSize {
  readonly width: number | undefined;
  readonly height: number | undefined;
  readonly only: 'smaller' | 'larger' | undefined;
}

export function frameSize(maxSide: number, suffixes = true): ValueSyntax<FrameSize> {
  const suffix = suffixes ? '([<>]?)' : '()';
  const form = new RegExp(`^([0-9]{0,5})x([0-9]{0,5})${suffix}$`);
  return {
    form: `<width>x<height>, <width>x or x<height>, each from 2 to ${maxSide}${suffixes ? '; then optionally > (only smaller) or < (only larger)' : ''}`,
    read(text) {
      const [, width, height, mark] = form.exec(text) ?? [];
      if (width === undefined || height === undefined || width + height === '') return undefined;
      const sides = [width, height].map((side) => (side === '' ? undefined : Number(side)));
      if (sides.some((side) => side !== undefined && (side < 2 || side > maxSide))) return undefined;
      const only = mark === '>' ? 'smaller' : mark === '<' ? 'larger' : undefined;
      return { width: sides[0], height: sides[1], only };
    },
    print({ width, height, only }) {
      const mark = only === 'smaller' ? '>' : only === 'larger' ? '<' : '';
      return `${width ?? ''}x${height ?? ''}${mark}`;
    },
  };
}

export interface Ratio {
  readonly width: number;
  readonly height: number;
}

export const aspectRatio: ValueSyntax<Ratio> = {
  form: '<width>:<height>, each from 1 to 100',
  read(text) {
    const [, width, height] = /^([1-9][0-9]?|100):([1-9][0-9]?|100)$/.exec(text) ?? [];
    return width === undefined || height === undefined
      ? undefined
      : { width: Number(width), height: Number(height) };
  },
  print: ({ width, height }) => `${width}:${height}`,
};

/** Points in time, in seconds, ascending. */
export function times(most: number): ValueSyntax<readonly number[]> {
  return {
    form: `seconds, separated by commas, ascending, at most ${most}`,
    read(text) {
      const parts = text.split(',', most + 1);
      if (parts.length > most || parts.some((part) => !/^[0-9]{1,6}(?:\.[0-9]{1,3})?$/.test(part)))
        return undefined;
      const values = parts.map(Number);
      return values.every((value, at) => at === 0 || value > (values[at - 1] ?? 0)) ? values : undefined;
    },
    print: (values) => values.join(','),
  };
}

export type Anchor = (typeof anchorNames)[number];

const anchorNames = [
  'NorthWest',
  'North',
  'NorthEast',
  'West',
  'Center',
  'East',
  'SouthWest',
  'South',
  'SouthEast',
] as const;

export const anchor: ValueSyntax<Anchor> = {
  form: anchorNames.join(', '),
  shape: { kind: 'choice', words: anchorNames },
  read: (text) => anchorNames.find((name) => name === text),
  print: (name) => name,
};

const colorNames: Readonly<Record<string, string>> = {
  black: '000000',
  white: 'ffffff',
  red: 'ff0000',
  green: '008000',
  lime: '00ff00',
  blue: '0000ff',
  yellow: 'ffff00',
  cyan: '00ffff',
  aqua: '00ffff',
  magenta: 'ff00ff',
  fuchsia: 'ff00ff',
  gray: '808080',
  grey: '808080',
  silver: 'c0c0c0',
  maroon: '800000',
  olive: '808000',
  navy: '000080',
  purple: '800080',
  teal: '008080',
  orange: 'ffa500',
  pink: 'ffc0cb',
  brown: 'a52a2a',
  gold: 'ffd700',
};

/** Six hexadecimal digits, red first. */
export const encodedColor: ValueSyntax<string> = {
  form: 'URL-safe Base64 of a colour: #RRGGBB, #RGB, 0xRRGGBB or a common name',
  shape: { kind: 'encoded', of: 'colour' },
  read(text) {
    const color = decodeText(text, 32)?.toLowerCase();
    if (color === undefined) return undefined;
    if (Object.hasOwn(colorNames, color)) return colorNames[color];
    const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/.exec(color);
    if (short !== null)
      return short
        .slice(1)
        .map((digit) => digit + digit)
        .join('');
    return /^(?:#|0x)([0-9a-f]{6})$/.exec(color)?.[1];
  },
  print: (color) => encodeBase64Text(`#${color}`),
};

/** Letters, digits, spaces and hyphens: it goes into an engine's own mini-language. */
export const encodedFont: ValueSyntax<string> = {
  form: 'URL-safe Base64 of the name of an installed font',
  shape: { kind: 'encoded', of: 'text' },
  read(text) {
    const font = decodeText(text, 64);
    return font !== undefined && /^[\p{L}\p{N}][\p{L}\p{N} _-]*$/u.test(font) ? font : undefined;
  },
  print: encodeBase64Text,
};
