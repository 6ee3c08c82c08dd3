/** vsample: images taken from a video at an interval. */
import type { CommandDefinition } from '../command.ts';
import { countPattern } from '../name-patterns.ts';
import {
  invalidCommand,
  type ParameterTable,
  printParameters,
  readParameters,
  readValue,
  type Values,
} from '../parameters.ts';
import { decimal, integer } from '../value-forms.ts';
import { frameSize } from './media-forms.ts';
import { imageFormat, MAX_SECONDS, turn } from './vframe.ts';

const MAX_SAMPLES = 1000;
const DEFAULT_SAMPLE_INTERVAL = 5;

const parameters = {
  ss: { value: decimal(0, MAX_SECONDS), required: true, meaning: 'where to start, in seconds' },
  t: { value: decimal(0.001, MAX_SECONDS), required: true, meaning: 'how long, in seconds' },
  s: { value: frameSize(3840, false), meaning: 'size; a missing side is scaled with the other' },
  rotate: { value: turn, meaning: 'degrees clockwise, or auto: as set in the video (default)' },
  interval: {
    value: decimal(0.04, MAX_SECONDS),
    meaning: `seconds between two images, default ${DEFAULT_SAMPLE_INTERVAL}`,
  },
  frames: { value: integer(1, MAX_SAMPLES), meaning: 'how many images, evenly over t; not with interval' },
  pattern: { value: countPattern, required: true, meaning: 'keys of the images, counted from 000001' },
} as const satisfies ParameterTable;

export type VsamplePlan = {
  readonly command: 'vsample';
  readonly format: 'jpg' | 'png';
} & Values<typeof parameters>;

export const vsample: CommandDefinition<VsamplePlan> = {
  syntax: 'vsample/<format>/ss/<seconds>/t/<seconds>/pattern/<pattern>[/s/<size>][/interval/<seconds>]…',
  about: `Images taken from a video at an interval, at most ${MAX_SAMPLES}. Format jpg or png. The first is taken at ss.`,
  first: { name: 'format', value: imageFormat },
  parameters,
  differences: [
    'Qiniu does not specify which frame belongs to a point in time; here it is the one shown then.',
    'The result of the item itself is JSON, `{"keys": […]}`: the keys of the images, in order.',
  ],
  idle: true,
  product: 'files',
  parse([format, ...pairs]) {
    const values = readParameters('vsample', pairs, parameters);
    if (values.frames !== undefined && values.interval !== undefined)
      throw invalidCommand('vsample: frames and interval cannot be combined');
    if (samplesOf(values) > MAX_SAMPLES)
      throw invalidCommand(`vsample: t and interval give more than ${MAX_SAMPLES} images`);
    return { command: 'vsample', format: readValue('vsample: the format', format, imageFormat), ...values };
  },
  print: (plan) => [plan.format, ...printParameters(parameters, plan)],
};

/** The number of images that a long enough video gives, and the seconds between them. */
export function samplesOf({
  t,
  frames,
  interval = DEFAULT_SAMPLE_INTERVAL,
}: Values<typeof parameters>): number {
  return frames ?? Math.max(1, Math.ceil(t / interval));
}

export function sampleInterval({ t, frames, interval }: Values<typeof parameters>): number {
  return frames === undefined ? (interval ?? DEFAULT_SAMPLE_INTERVAL) : t / frames;
}
