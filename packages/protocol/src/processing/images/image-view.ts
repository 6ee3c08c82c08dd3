/** imageView2: an image in a smaller size, by modes. */
import type { CommandDefinition } from '../command.ts';
import {
  invalidCommand,
  type ParameterTable,
  printParameters,
  readParameters,
  readValue,
  type Values,
} from '../parameters.ts';
import { flag, integer } from '../value-forms.ts';
import { imageFormat, type Quality, quality } from './image-forms.ts';

const parameters = {
  w: { value: integer(1, 14_999), meaning: 'width, or the longer side in modes 0, 4 and 5' },
  h: { value: integer(1, 14_999), meaning: 'height, or the shorter side in modes 0, 4 and 5' },
  format: { value: imageFormat, meaning: 'format of the result; default that of the source' },
  interlace: { value: flag, meaning: '1: progressive jpg, interlaced png' },
  q: { value: quality, aliases: ['quality'], meaning: 'quality; default 75, of avif 52' },
  colors: { value: integer(2, 256), meaning: 'number of colours of png and gif' },
  'ignore-error': { value: flag, meaning: '1: what cannot be processed is returned unchanged' },
} as const satisfies ParameterTable;

export type ImageView2Plan = {
  readonly command: 'imageView2';
  readonly mode: 0 | 1 | 2 | 3 | 4 | 5;
  readonly quality: Quality | undefined;
  readonly ignoreError: boolean;
} & Omit<Values<typeof parameters>, 'q' | 'ignore-error'>;

const modes = integer(0, 5);

export const imageView2: CommandDefinition<ImageView2Plan> = {
  syntax: 'imageView2/<mode>[/w/<width>][/h/<height>][/format/<format>][/interlace/<0|1>][/q/<quality>]',
  about:
    'An image made smaller, never larger, and rotated as its Exif data says. Modes: 0 at most w on the longer and h on the shorter side; 1 at least w and h, then cut to them from the centre; 2 at most w and h; 3 at least w and h; 4 at least w on the longer and h on the shorter side; 5 as 4, then cut from the centre. A missing side is unlimited in modes 0 and 2, and equal to the other in the rest.',
  first: { name: 'mode', value: modes },
  parameters,
  idle: false,
  product: 'file',
  parse([mode, ...pairs]) {
    const { q, 'ignore-error': ignoreError, ...values } = readParameters('imageView2', pairs, parameters);
    const chosen = readValue('imageView2: the mode', mode, modes) as ImageView2Plan['mode'];
    if (values.w === undefined && values.h === undefined && chosen !== 0 && chosen !== 2)
      throw invalidCommand(`imageView2: mode ${chosen} needs w or h`);
    return { command: 'imageView2', mode: chosen, ...values, quality: q, ignoreError: ignoreError ?? false };
  },
  print({ mode, quality: q, ignoreError, ...values }) {
    const written = { ...values, q, 'ignore-error': ignoreError || undefined };
    return [String(mode), ...printParameters(parameters, written)];
  },
};
