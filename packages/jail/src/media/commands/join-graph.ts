/** The filter graph of avconcat, mode 2: every video in one size, rate and layout, and silence where there is no sound. */
import type { AvconcatPlan } from '@millpond/protocol';
import { commandFailed } from '../engine-messages.ts';
import { ProcessingError } from '../failure.ts';
import { inputArguments } from '../job.ts';
import { type MediaFacts, quotient, type VideoFacts } from '../probe.ts';
import { deinterlaceFilters } from './frame-filters.ts';
import { SILENCE_IN_GAPS } from './sound.ts';
import { type SourceFacts, shownSeconds } from './source-facts.ts';
import { commonColors, nameColors, tagArguments, toCommonColors } from './video/colors.ts';
import { even, type FrameSize, fitInto, shownSize } from './video/frame-size.ts';

const SOUND_ONLY: ReadonlySet<string> = new Set(['mp3', 'm4a', 'wav']);
const DEFAULT_RATE = 25;
const LAYOUT = 'aformat=sample_rates=44100:channel_layouts=stereo';

const encoders: Readonly<Record<string, readonly string[]>> = {
  mp3: ['-c:a', 'libmp3lame', '-b:a', '128k'],
  wav: ['-c:a', 'pcm_s16le'],
};

export function joinGraph(plan: AvconcatPlan, videos: readonly SourceFacts[]): string[] {
  const withVideo = !SOUND_ONLY.has(plan.format);
  const withAudio = plan.addAudio !== false && videos.some(({ facts }) => facts.audio !== undefined);
  if (withVideo && videos.some(({ facts }) => facts.video === undefined))
    throw new ProcessingError('source', commandFailed('not a valid video'));
  if (!withVideo && !withAudio) throw new ProcessingError('source', 'none of the sources has sound');
  const parts = videos.flatMap((video, index) => [
    ...(withVideo ? [scaledVideo(plan, videos, video.facts, index)] : []),
    ...(withAudio ? [sound(video.facts, index)] : []),
  ]);
  const pads = videos
    .map((_, index) => `${withVideo ? `[v${index}]` : ''}${withAudio ? `[a${index}]` : ''}`)
    .join('');
  const ends = `${withVideo ? '[v]' : ''}${withAudio ? '[a]' : ''}`;
  const join = `${pads}concat=n=${videos.length}:v=${withVideo ? 1 : 0}:a=${withAudio ? 1 : 0}${ends}`;
  return [
    ...videos.flatMap(({ input }) => inputArguments(input)),
    '-filter_complex',
    [...parts, join].join(';'),
    ...(withVideo ? ['-map', '[v]', '-c:v', 'libx264', '-preset', 'veryfast', '-crf', '23'] : []),
    ...(withVideo ? tagArguments(commonColors(videos[0]?.facts.video)) : []),
    ...(withAudio ? ['-map', '[a]', ...(encoders[plan.format] ?? ['-c:a', 'aac', '-b:a', '128k'])] : []),
  ];
}

function scaledVideo(
  plan: AvconcatPlan,
  videos: readonly SourceFacts[],
  { video }: MediaFacts,
  index: number,
): string {
  if (video === undefined) return '';
  const first = videos[0]?.facts.video;
  const canvas = frame(plan, first);
  const { width, height } = fitInto(shownSize(video, video.rotation), canvas);
  const mean = quotient(first?.meanRate) ?? DEFAULT_RATE;
  const filters = [
    ...nameColors(video),
    ...deinterlaceFilters('auto', video),
    `scale=${width}:${height}`,
    ...toCommonColors(video, commonColors(first)),
    `pad=${canvas.width}:${canvas.height}:(ow-iw)/2:(oh-ih)/2:black`,
    'setsar=1',
    `fps=${mean > 60 ? 60 : (first?.meanRate ?? DEFAULT_RATE)}`,
  ];
  return `[${index}:${video.index}]${filters.join(',')}[v${index}]`;
}

function frame(plan: AvconcatPlan, video: VideoFacts | undefined): FrameSize {
  const shown = video === undefined ? { width: 640, height: 360 } : shownSize(video, video.rotation);
  const width =
    plan.s?.width ??
    (plan.s?.height === undefined ? shown.width : (shown.width * plan.s.height) / shown.height);
  const height =
    plan.s?.height ??
    (plan.s?.width === undefined ? shown.height : (shown.height * plan.s.width) / shown.width);
  return { width: even(width), height: even(height) };
}

function sound(facts: MediaFacts, index: number): string {
  const { audio, video } = facts;
  const duration = shownSeconds(facts);
  if (audio !== undefined) {
    // The join waits for the longer of the two: sound that ends early is padded.
    const fill = video === undefined || duration === undefined ? '' : `,apad=whole_dur=${duration}`;
    return `[${index}:${audio.index}]${SILENCE_IN_GAPS},${LAYOUT}${fill}[a${index}]`;
  }
  return `anullsrc=r=44100:cl=stereo:d=${duration ?? 1},${LAYOUT}[a${index}]`;
}
