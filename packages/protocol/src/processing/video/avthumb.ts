/** avthumb: converts a video or a recording to another format. avthumb/m3u8 cuts it into segments with a playlist. */

import type { CommandDefinition } from '../command.ts';
import { printParameters, readParameters, readValue, show, unsupportedCommand } from '../parameters.ts';
import { oneOf, withAliases } from '../value-forms.ts';
import { type AvthumbFormatName, avthumbFormat, avthumbFormats } from './avthumb-formats.ts';
import {
  audioParameters,
  fileParameters,
  frameParameters,
  segmentParameters,
  videoParameters,
  watermarkParameters,
} from './avthumb-parameters.ts';
import { type AvthumbPlan, avthumbTable, segmentsTable } from './avthumb-plan.ts';
import { checkAvthumb } from './avthumb-rules.ts';

const formatNames = Object.keys(avthumbFormats) as AvthumbFormatName[];
const format = withAliases(oneOf(...formatNames), { hls: 'm3u8' });

/** Features of Qiniu's own encoders, and those for which this ffmpeg has no encoder. */
const impossibleParameters = new Set(['avsmart', 'smtQuality', 'refine', 'hr']);

export const avthumb: CommandDefinition<AvthumbPlan> = {
  syntax: 'avthumb/<format>[/<parameter>/<value>]…',
  about: `Transcodes video and sound. Formats: ${formatNames.join(', ')} (hls means m3u8). Without codecs and rates: ${defaults()}`,
  first: { name: 'format', value: format },
  parameters: videoParameters,
  more: [
    { title: 'Sound', parameters: audioParameters },
    { title: 'Frame', parameters: frameParameters },
    { title: 'File', parameters: fileParameters },
    { title: 'Watermarks', parameters: watermarkParameters },
    { title: 'Segments (avthumb/m3u8)', parameters: segmentParameters },
  ],
  differences: [
    '`audioProfile/aac_he` and `aac_he_v2` are refused: the encoder for them is not free and not in Debian.',
    'The format `amr` is refused: Debian has no encoder for it. AMR can be read.',
    "`avsmart`, `smtQuality`, `refine` and `hr` are refused: they name features of another service's own encoder.",
    '`acodec/libfaac` and `libfdk_aac` mean the AAC encoder of ffmpeg; `aq` for AAC is mapped onto its scale, which is slightly different.',
    '`hlsKeyType/1.0` is refused: the key would have to be unwrapped by a private key that we would have to keep.',
    '`subtitle` is burnt in; `scodec/mov_text` makes it a stream.',
    '`noDomain` is accepted and has no effect: a playlist with relative URIs plays under every host of its bucket, and with `pm3u8` from a private one.',
  ],
  idle: true,
  product: (plan) => (plan.format === 'm3u8' ? 'files' : 'file'),
  parse([name, ...pairs]) {
    if (name === 'amr') throw unsupportedCommand('avthumb: this ffmpeg has no encoder for amr');
    for (let at = 0; at < pairs.length; at += 2)
      if (impossibleParameters.has(pairs[at] ?? ''))
        throw unsupportedCommand(`avthumb: ${show(pairs[at] ?? '')} cannot be done by this ffmpeg`);
    const chosen = readValue('avthumb: the format', name, format);
    const table = chosen === 'm3u8' ? segmentsTable : avthumbTable;
    const noSegments = readParameters('avthumb', [], segmentParameters);
    const plan: AvthumbPlan = {
      command: 'avthumb',
      format: chosen,
      ...noSegments,
      ...readParameters('avthumb', pairs, table),
    };
    checkAvthumb(plan);
    return plan;
  },
  print: (plan) => [plan.format, ...printParameters(segmentsTable, plan)],
  sources: ({ wmImage, wmVideo, subtitle }) =>
    [wmImage, wmVideo, subtitle].filter((source) => source !== undefined),
};

function defaults(): string {
  return formatNames
    .map((name) => {
      const { video, audio, videoRate, audioRate } = avthumbFormat(name);
      const rate = (bits: number | undefined): string => (bits === undefined ? '' : ` ${bits / 1000}k`);
      const streams = [
        ...(video === null ? [] : [`${video[0]}${rate(videoRate)}`]),
        ...(audio === null ? [] : [`${audio[0]}${rate(audioRate)}`]),
      ];
      return `${name} ${streams.join(' + ')}`;
    })
    .join('; ')
    .concat('.');
}
