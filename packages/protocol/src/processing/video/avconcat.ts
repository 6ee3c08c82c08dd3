/** avconcat: joins videos one after the other. */
import type { CommandDefinition } from '../command.ts';
import {
  invalidCommand,
  nameIn,
  type ParameterTable,
  printParameters,
  readParameters,
  readValue,
  type Values,
} from '../parameters.ts';
import { encodedUrl, flag, integer, oneOf } from '../value-forms.ts';
import { frameSize } from './media-forms.ts';

const MAX_CONCATENATED_VIDEOS = 20;

const mode = oneOf('1', '2');

const parameters = {
  format: {
    value: oneOf('mp4', 'mov', 'mkv', 'flv', 'ts', 'mp3', 'm4a', 'wav'),
    required: true,
    meaning: 'format of the result',
  },
  index: {
    value: integer(1, MAX_CONCATENATED_VIDEOS + 1),
    meaning: 'position of the source object among all, counted from 1 (default)',
  },
  s: {
    value: frameSize(4096, false),
    meaning: 'size of the frame, mode 2; default: that of the first video',
  },
  addAudio: {
    value: flag,
    meaning: '1 (default): a video without sound gets silence, mode 2; 0: no sound at all',
  },
} as const satisfies ParameterTable;

export type AvconcatPlan = {
  readonly command: 'avconcat';
  /** 1: joined as they are; 2: converted to the same form and re-encoded. */
  readonly mode: '1' | '2';
  readonly urls: readonly string[];
} & Values<typeof parameters>;

export const avconcat: CommandDefinition<AvconcatPlan> = {
  syntax: 'avconcat/<mode>/format/<format>[/index/<n>][/s/<size>][/addAudio/<0|1>]/<encoded URL>…',
  about: `Joins the source and up to ${MAX_CONCATENATED_VIDEOS} further videos or recordings. Mode 1 copies the streams as they are, so codecs, sizes and rates must agree; mode 2 converts them to a common form and encodes them again.`,
  first: { name: 'mode', value: mode },
  rest: encodedUrl,
  parameters,
  differences: [
    'Mode 1 fails if the videos do not agree, and says in what; it does not create a broken file.',
    'The URLs must name objects of the same account, or a public address.',
  ],
  idle: true,
  product: 'file',
  parse(segments) {
    const rest = segments[0] === 'mode' ? segments.slice(1) : segments;
    const chosen = readValue('avconcat: the mode', rest[0], mode);
    let first = 1;
    while (nameIn(parameters, rest[first] ?? '') !== undefined) first += 2;
    const values = readParameters('avconcat', rest.slice(1, first), parameters);
    const urls = rest.slice(first).map((text) => readValue('avconcat: a source', text, encodedUrl));
    if (urls.length === 0) throw invalidCommand('avconcat names nothing to join');
    if (urls.length > MAX_CONCATENATED_VIDEOS)
      throw invalidCommand(`avconcat joins at most ${MAX_CONCATENATED_VIDEOS} videos to the source`);
    if ((values.index ?? 1) > urls.length + 1)
      throw invalidCommand('avconcat: index is beyond the last video');
    if (chosen === '1' && (values.s !== undefined || values.addAudio !== undefined))
      throw invalidCommand('avconcat: s and addAudio are for mode 2');
    return { command: 'avconcat', mode: chosen, ...values, urls };
  },
  print: (plan) => [
    plan.mode,
    ...printParameters(parameters, plan),
    ...plan.urls.map((url) => encodedUrl.print(url)),
  ],
  sources: ({ urls }) => urls,
};
