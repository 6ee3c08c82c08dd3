/** vsample: images at an interval. If they are far apart, each is sought; if close, the video is decoded throughout. */
import { formatCount, renderName, sampleInterval, samplesOf, type VsamplePlan } from '@millpond/protocol';
import { commandFailed } from '../engine-messages.ts';
import { ProcessingError } from '../failure.ts';
import { findOutput, sourceOfFile } from '../files.ts';
import { type CommandContext, inputArguments } from '../job.ts';
import type { VideoFacts } from '../probe.ts';
import { jsonResult } from '../results.ts';
import type { MediaPart, MediaResult } from '../types.ts';
import { deinterlaceFilters, type ImageRequest, imageFilters } from './frame-filters.ts';
import { seekTo } from './seek.ts';
import { sourceFacts } from './source-facts.ts';
import { frameArguments, imageEncoder } from './vframe.ts';
import { decoderArguments } from './video/colors.ts';

interface SampledVideo {
  readonly input: string;
  readonly video: VideoFacts;
  readonly container: string;
}

/** From this interval on a seek is cheaper than decoding what lies between. */
const SEEK_FROM_SECONDS = 10;

export async function runVsample(context: CommandContext, plan: VsamplePlan): Promise<MediaResult> {
  const { input, facts } = await sourceFacts(context, 0);
  const { video, container } = facts;
  if (video === undefined) throw new ProcessingError('source', commandFailed('the source has no video'));
  const interval = sampleInterval(plan);
  const end = video.end ?? facts.duration ?? Number.POSITIVE_INFINITY;
  const left = Math.min(plan.t, end - plan.ss);
  const count = Math.min(samplesOf(plan), Math.ceil(left / interval));
  if (!(count >= 1)) throw new ProcessingError('source', 'ss is beyond the end of the video');
  if (interval >= SEEK_FROM_SECONDS) await seek(context, plan, { input, video, container }, interval, count);
  else await goThrough(context, plan, { input, video, container }, interval, left);
  const parts = await collect(context, plan, count);
  // The last frame may be shown a little before the end that the file states; more are missing where it ends early.
  if (parts.length < count - 1) context.warn(`the source ends early: ${parts.length} of ${count} images`);
  const keys = parts.map((part) => renderName(plan.pattern, { count: formatCount(part.count) }));
  return { ...(await jsonResult(context, { keys })), parts };
}

async function seek(
  context: CommandContext,
  plan: VsamplePlan,
  { input, video, container }: SampledVideo,
  interval: number,
  count: number,
): Promise<void> {
  for (let index = 0; index < count; index++) {
    const offset = Math.round((plan.ss + index * interval) * 1000) / 1000;
    const file = fileOf(index + 1, plan);
    await context.ffmpeg(frameArguments(requestOf(plan), video, input, seekTo(offset, container), file), {
      seconds: undefined,
      from: index / count,
      to: (index + 1) / count,
    });
  }
}

async function goThrough(
  context: CommandContext,
  plan: VsamplePlan,
  { input, video, container }: SampledVideo,
  interval: number,
  seconds: number,
): Promise<void> {
  const chosen = `select='gte(t+0.0005,selected_n*${interval})'`;
  // Frames are deinterlaced with the help of their neighbours.
  const begin = seekTo(plan.ss, container);
  const filters = [
    ...begin.video,
    ...deinterlaceFilters('auto', video),
    chosen,
    imageFilters(requestOf(plan), { ...video, isInterlaced: false }),
  ];
  await context.ffmpeg(
    [
      ...begin.input,
      '-t',
      String(plan.t + begin.earlier),
      ...decoderArguments(video),
      ...inputArguments(input),
      '-map',
      `0:${video.index}`,
      '-an',
      '-sn',
      '-dn',
      '-fps_mode',
      'passthrough',
      '-vf',
      filters.join(','),
      ...imageEncoder(plan.format),
      '-f',
      'image2',
      '-start_number',
      '1',
      `sample-%06d.${plan.format}`,
    ],
    { seconds },
  );
}

function requestOf({ format, rotate, s }: VsamplePlan): ImageRequest {
  return { format, rotate, width: s?.width, height: s?.height };
}

function fileOf(count: number, { format }: VsamplePlan): string {
  return `sample-${formatCount(count)}.${format}`;
}

async function collect(context: CommandContext, plan: VsamplePlan, count: number): Promise<MediaPart[]> {
  const mimeType = plan.format === 'jpg' ? 'image/jpeg' : 'image/png';
  const parts: MediaPart[] = [];
  for (let number = 1; number <= count; number++) {
    const output = await findOutput(context.folder, fileOf(number, plan), mimeType);
    if (output !== undefined) parts.push({ ...output, count: number, extension: plan.format });
  }
  const [first] = parts;
  if (first === undefined) throw new ProcessingError('source', 'the engine made no images');
  await context.images.look(sourceOfFile(first), false, context.signal);
  return parts;
}
