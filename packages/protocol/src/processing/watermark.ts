/** watermark: marks on an image. 1 an image, 2 a text, 3 several of both in order, 4 a repeated text. */
import type { CommandDefinition } from './command.ts';
import {
  invalidCommand,
  nameIn,
  type ParameterTable,
  printParameters,
  readParameters,
  readValue,
  type Values,
} from './parameters.ts';
import { decimal, encodedText, encodedUrl, flag, integer, oneOf } from './value-forms.ts';
import { anchor, encodedColor, encodedFont } from './video/media-forms.ts';

const place = {
  dissolve: { value: integer(1, 100), meaning: 'opacity in percent; default 100' },
  gravity: { value: anchor, meaning: 'position; default SouthEast' },
  dx: { value: integer(-14_999, 14_999), meaning: 'pixels from the side; default 10' },
  dy: { value: integer(-14_999, 14_999), meaning: 'pixels from top or bottom; default 10' },
} as const satisfies ParameterTable;

const imageParameters = {
  image: { value: encodedUrl, required: true, meaning: 'the overlay image' },
  ...place,
  ws: { value: decimal(0.001, 1), meaning: 'its size relative to the image' },
  wst: {
    value: integer(0, 3),
    meaning: 'relative to what: 0 shorter side (default), 1 longer side, 2 width, 3 height',
  },
  tile: { value: flag, meaning: '1: repeat it' },
} as const satisfies ParameterTable;

const textParameters = {
  text: { value: encodedText(1024), required: true, meaning: 'the text' },
  font: { value: encodedFont, meaning: 'its font; default: a sans-serif font' },
  fontsize: { value: integer(20, 20_000), meaning: 'in twentieths of a point; default 500' },
  fill: { value: encodedColor, meaning: 'its colour; default white' },
  ...place,
} as const satisfies ParameterTable;

const tiledParameters = {
  ...textParameters,
  rotate: { value: integer(0, 359), meaning: 'degrees clockwise; default 0' },
  uw: { value: integer(0, 4096), meaning: 'horizontal pixels between texts; default 40' },
  uh: { value: integer(0, 4096), meaning: 'vertical pixels between texts; default 40' },
} as const satisfies ParameterTable;

const resultParameters = {
  'ignore-error': { value: flag, meaning: '1: what cannot be processed is returned unchanged' },
} as const satisfies ParameterTable;

export type ImageWatermark = { readonly kind: 'image' } & Values<typeof imageParameters>;
export type TextWatermark = { readonly kind: 'text' } & Values<typeof textParameters>;
export type TiledWatermark = { readonly kind: 'tiled' } & Values<typeof tiledParameters>;
export type Watermark = ImageWatermark | TextWatermark | TiledWatermark;

export interface WatermarkPlan {
  readonly command: 'watermark';
  readonly mode: '1' | '2' | '3' | '4';
  readonly marks: readonly Watermark[];
  readonly ignoreError: boolean;
}

const MAX_MARKS = 10;
const modes = oneOf('1', '2', '3', '4');

export const watermark: CommandDefinition<WatermarkPlan> = {
  syntax: 'watermark/<mode>/image/<encoded URL>… or /text/<encoded text>…',
  about: `Marks on an image: 1 image, 2 text, 3 up to ${MAX_MARKS} of both, one after the other, each beginning with image or text, 4 a repeated text.`,
  first: { name: 'mode', value: modes },
  steps: true,
  parameters: imageParameters,
  more: [
    { title: 'Text (2 and 3)', parameters: textParameters },
    { title: 'Repeated text (4)', parameters: tiledParameters },
    { title: 'All', parameters: resultParameters },
  ],
  differences: [
    'A mark that is larger than the image is cut off at its edges.',
    'Mode 4: parameters of our own choice (`rotate`, `uw`, `uh`); Qiniu does not describe its own.',
    'Fonts are those installed on the machine; for Chinese, Japanese and Korean install `fonts-noto-cjk`.',
  ],
  idle: false,
  product: 'file',
  parse([written, ...segments]) {
    const mode = readValue('watermark: the mode', written, modes);
    const { pairs, ignoreError } = takeIgnoreError(segments);
    const groups = mode === '3' ? splitMarks(pairs) : [pairs];
    if (groups.length > MAX_MARKS) throw invalidCommand(`watermark takes at most ${MAX_MARKS} marks`);
    const marks = groups.map((group) => readWatermark(mode, group));
    if (marks.some((mark) => mark.kind === 'image' && mark.wst !== undefined && mark.ws === undefined))
      throw invalidCommand('watermark: wst needs ws');
    return { command: 'watermark', mode, marks, ignoreError };
  },
  print: ({ mode, marks, ignoreError }) => [
    mode,
    ...marks.flatMap(printMark),
    ...(ignoreError ? ['ignore-error', '1'] : []),
  ],
  sources: ({ marks }) => marks.flatMap((mark) => (mark.kind === 'image' ? [mark.image] : [])),
};

function takeIgnoreError(segments: readonly string[]): { pairs: readonly string[]; ignoreError: boolean } {
  const at = segments.findIndex((name, index) => index % 2 === 0 && name === 'ignore-error');
  if (at < 0) return { pairs: segments, ignoreError: false };
  const ignoreError = readValue('watermark: ignore-error', segments[at + 1], flag);
  return { pairs: [...segments.slice(0, at), ...segments.slice(at + 2)], ignoreError };
}

/** In mode 3 each mark begins with its image or text. */
function splitMarks(pairs: readonly string[]): string[][] {
  const groups: string[][] = [];
  for (let at = 0; at < pairs.length; at += 2) {
    const name = pairs[at] ?? '';
    if (name === 'image' || name === 'text') groups.push([]);
    const group = groups.at(-1);
    if (group === undefined) throw invalidCommand('watermark/3 must begin with image or text');
    group.push(...pairs.slice(at, at + 2));
  }
  if (groups.length === 0) throw invalidCommand('watermark/3 names no mark');
  return groups;
}

function readWatermark(mode: WatermarkPlan['mode'], pairs: readonly string[]): Watermark {
  if (mode === '4') return { kind: 'tiled', ...readParameters('watermark', pairs, tiledParameters) };
  const isText = mode === '2' || (mode === '3' && nameIn(textParameters, pairs[0] ?? '') === 'text');
  return isText
    ? { kind: 'text', ...readParameters('watermark', pairs, textParameters) }
    : { kind: 'image', ...readParameters('watermark', pairs, imageParameters) };
}

function printMark(mark: Watermark): string[] {
  switch (mark.kind) {
    case 'image':
      return printParameters(imageParameters, mark);
    case 'text':
      return printParameters(textParameters, mark);
    case 'tiled':
      return printParameters(tiledParameters, mark);
  }
}
