/** Commands without parameters that give information about a file, and qhash. */
import type { CommandDefinition } from './command.ts';
import { invalidCommand, readNothing, readValue } from './parameters.ts';
import { oneOf } from './value-forms.ts';

export interface InformationPlan<Command extends string> {
  readonly command: Command;
}
export type AvinfoPlan = InformationPlan<'avinfo'>;
export type ImageInfoPlan = InformationPlan<'imageInfo'>;
export type ImageAvePlan = InformationPlan<'imageAve'>;
export type ExifPlan = InformationPlan<'exif'>;

function tells<Command extends string>(
  command: Command,
  about: string,
  differences: readonly string[] = [],
): CommandDefinition<InformationPlan<Command>> {
  return {
    syntax: command,
    about,
    parameters: {},
    differences,
    idle: false,
    product: 'json',
    parse(segments) {
      readNothing(command, segments);
      return { command };
    },
    print: () => [],
  };
}

export const avinfo = tells(
  'avinfo',
  'Streams and format of a video or a recording, as ffprobe reports them.',
  ['No `filename`, and none of the fields that ffprobe no longer writes.'],
);
export const imageInfo = tells(
  'imageInfo',
  'Size, format, width, height and colour model of an image, and the number of frames of a gif.',
);
export const imageAve = tells('imageAve', 'The average colour of an image: `{"RGB": "0x85694d"}`.');
export const exif = tells(
  'exif',
  'Exif data of an image: `{"<tag>": {"type": <number>, "val": "<text>"}}`. It fails for an image without any.',
);

const algorithm = oneOf('md5', 'sha1', 'sha256');

export interface QhashPlan {
  readonly command: 'qhash';
  readonly algorithm: 'md5' | 'sha1' | 'sha256';
}

export const qhash: CommandDefinition<QhashPlan> = {
  syntax: 'qhash/<md5|sha1|sha256>',
  about: 'The hash of the content in hexadecimal, and its size: `{"hash": "…", "fsize": 214513}`.',
  first: { name: 'algorithm', value: algorithm },
  parameters: {},
  idle: false,
  product: 'json',
  parse([name, ...rest]) {
    if (rest.length > 0) throw invalidCommand('qhash has no parameter except the algorithm');
    return { command: 'qhash', algorithm: readValue('qhash: the algorithm', name, algorithm) };
  },
  print: (plan) => [plan.algorithm],
};
