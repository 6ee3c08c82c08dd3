/** vframe: one image taken from a video. */
import type { CommandDefinition } from '../command.ts';
import {
  type ParameterTable,
  printParameters,
  readParameters,
  readValue,
  type Values,
} from '../parameters.ts';
import { decimal, integer, oneOf } from '../value-forms.ts';

export const imageFormat = oneOf('jpg', 'png');
export const MAX_SECONDS = 360_000;
export const turn = oneOf('90', '180', '270', 'auto');

const parameters = {
  offset: {
    value: decimal(0, MAX_SECONDS),
    required: true,
    meaning: 'position in the video, in seconds; beyond its end the command fails',
  },
  w: { value: integer(1, 3840), meaning: 'width; without h the height is scaled with it' },
  h: { value: integer(1, 2160), meaning: 'height; without w the width is scaled with it' },
  rotate: { value: turn, meaning: 'degrees clockwise, or auto: as set in the video (default)' },
} as const satisfies ParameterTable;

export type VframePlan = {
  readonly command: 'vframe';
  readonly format: 'jpg' | 'png';
} & Values<typeof parameters>;

export const vframe: CommandDefinition<VframePlan> = {
  syntax: 'vframe/<format>/offset/<seconds>[/w/<width>][/h/<height>][/rotate/<degrees>]',
  about: 'One image taken from a video. Format jpg or png.',
  first: { name: 'format', value: imageFormat },
  parameters,
  differences: [
    'Of an MP4 or QuickTime video only the index and the frames around the offset are read, however long it is.',
  ],
  idle: true,
  product: 'file',
  parse([format, ...pairs]) {
    return {
      command: 'vframe',
      format: readValue('vframe: the format', format, imageFormat),
      ...readParameters('vframe', pairs, parameters),
    };
  },
  print: (plan) => [plan.format, ...printParameters(parameters, plan)],
};
