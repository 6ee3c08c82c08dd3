/** The filter graph of avconcat, mode 2: every video in one size, rate and layout, and silence where there is no sound. */
import type { AvconcatPlan } from '@millpond/protocol';
import { ProcessingFailed } from '../failure.ts';
import { inputArguments } from '../job.ts';
import type { MediaFacts } from '../probe.ts';

interface Video {
  readonly inside: string;
  readonly facts: MediaFacts;
}

const SOUND_ONLY: ReadonlySet<string> = new Set(['mp3', 'm4a', 'wav']);
const DEFAULT_RATE = 25;
const LAYOUT = 'aformat=sample_rates=44100:channel_layouts=stereo';

const encoders: Readonly<Record<string, readonly string[]>> = {
  mp3: ['-c:a', 'libmp3lame', '-b:a', '128k'],
  wav: ['-c:a', 'pcm_s16le'],
};

export function joinGraph(plan: AvconcatPlan, videos: readonly Video[]): string[] {
  const withVideo = !SOUND_ONLY.has(plan.format);
  const withAudio = plan.addAudio !== false && videos.some(({ facts }) => facts.audio !== undefined);
  if (withVideo && videos.some(({ facts }) => facts.video === undefined))
    throw new ProcessingFailed('source', 'execute fop cmd failed: not a valid video');
  if (!withVideo && !withAudio) throw new ProcessingFailed('source', 'none of the sources has sound');
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
    ...videos.flatMap(({ inside }) => inputArguments(inside)),
    ...['-filter_complex', [...parts, join].join(';')],
    ...(withVideo ? ['-map', '[v]', '-c:v', 'libx264', '-preset', 'veryfast', '-crf', '23'] : []),
    ...(withAudio ? ['-map', '[a]', ...(encoders[plan.format] ?? ['-c:a', 'aac', '-b:a', '128k'])] : []),
  ];
}

function scaledVideo(plan: AvconcatPlan, videos: readonly Video[], facts: MediaFacts, index: number): string {
  const { width, height } = frame(plan, videos);
  const rate = Math.min(60, videos[0]?.facts.video?.framesPerSecond ?? DEFAULT_RATE);
  const fit = `scale=${width}:${height}:force_original_aspect_ratio=decrease:force_divisible_by=2`;
  const filters = [
    fit,
    `pad=${width}:${height}:(ow-iw)/2:(oh-ih)/2:black`,
    'setsar=1',
    `fps=${rate}`,
    'format=yuv420p',
  ];
  return `[${index}:${facts.video?.index ?? 0}]${filters.join(',')}[v${index}]`;
}

function frame(plan: AvconcatPlan, videos: readonly Video[]): { width: number; height: number } {
  const video = videos[0]?.facts.video;
  const turned = (video?.rotation ?? 0) % 180 !== 0;
  const natural = { width: video?.width ?? 640, height: video?.height ?? 360 };
  const shown = turned ? { width: natural.height, height: natural.width } : natural;
  const width =
    plan.s?.width ??
    (plan.s?.height === undefined ? shown.width : (shown.width * plan.s.height) / shown.height);
  const height =
    plan.s?.height ??
    (plan.s?.width === undefined ? shown.height : (shown.height * plan.s.width) / shown.width);
  const even = (pixels: number): number => Math.max(2, 2 * Math.round(pixels / 2));
  return { width: even(width), height: even(height) };
}

function sound({ audio, duration, video }: MediaFacts, index: number): string {
  if (audio !== undefined) {
    // The join waits for the longer of the two: sound that ends early is padded.
    const fill = video === undefined || duration === undefined ? '' : `,apad=whole_dur=${duration}`;
    return `[${index}:${audio.index}]${LAYOUT}${fill}[a${index}]`;
  }
  return `anullsrc=r=44100:cl=stereo:d=${duration ?? 1},${LAYOUT}[a${index}]`;
}
