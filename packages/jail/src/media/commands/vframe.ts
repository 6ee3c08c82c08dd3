/** vframe: one frame, reading no more of the video than it takes. */
import type { VframePlan } from '@millpond/protocol';
import { MIB } from '@millpond/protocol';
import { commandFailed } from '../engine-messages.ts';
import { ProcessingError } from '../failure.ts';
import { findOutput, sourceOfFile } from '../files.ts';
import { type CommandContext, inputArguments } from '../job.ts';
import type { VideoFacts } from '../probe.ts';
import { singleFileResult } from '../results.ts';
import type { MediaOutput, MediaResult } from '../types.ts';
import { type ImageRequest, imageFilters } from './frame-filters.ts';
import { type Seek, seekTo } from './seek.ts';
import { sourceFacts } from './source-facts.ts';
import { materialiseFrame } from './sparse-frame.ts';
import { decoderArguments } from './video/colors.ts';

const mimeTypes = { jpg: 'image/jpeg', png: 'image/png' } as const;

/** A smaller video is read whole: that costs less than finding out what to skip. */
const SPARSE_FROM_BYTES = 4 * MIB;

export async function runVframe(context: CommandContext, plan: VframePlan): Promise<MediaResult> {
  const image =
    (await sparseFrame(context, plan)) ?? (await takeFrame(context, plan, await context.input(0), 'whole'));
  if (image === undefined) throw new ProcessingError('source', 'the offset is beyond the end of the video');
  await context.images.look(sourceOfFile(image), false, context.signal);
  return singleFileResult(image);
}

/** undefined: a part of the video is not enough. */
async function sparseFrame(context: CommandContext, plan: VframePlan): Promise<MediaOutput | undefined> {
  const source = context.source(0);
  if (source.path !== undefined || source.size < SPARSE_FROM_BYTES) return undefined;
  const { outside, inside } = context.notePath('sparse');
  if (!(await materialiseFrame(source, outside, plan.offset, context.signal))) return undefined;
  try {
    return await takeFrame(context, plan, inside, 'sparse');
  } catch (error) {
    if (error instanceof ProcessingError && error.reason === 'source') return undefined;
    throw error;
  }
}

async function takeFrame(
  context: CommandContext,
  plan: VframePlan,
  inside: string,
  name: string,
): Promise<MediaOutput | undefined> {
  const { facts } = await sourceFacts(context, 0, inside);
  const { video, container } = facts;
  if (video === undefined) throw new ProcessingError('source', commandFailed('the source has no video'));
  const file = `${name}.${plan.format}`;
  const request = { ...plan, width: plan.w, height: plan.h };
  await context.ffmpeg(frameArguments(request, video, inside, seekTo(plan.offset, container), file));
  return findOutput(context.folder, file, mimeTypes[plan.format]);
}

export function frameArguments(
  request: ImageRequest,
  video: VideoFacts,
  inside: string,
  seek: Seek,
  file: string,
): string[] {
  return [
    ...seek.input,
    ...decoderArguments(video),
    ...inputArguments(inside),
    '-map',
    `0:${video.index}`,
    '-an',
    '-sn',
    '-dn',
    '-frames:v',
    '1',
    '-vf',
    [...seek.video, imageFilters(request, video)].join(','),
    ...imageEncoder(request.format),
    '-f',
    'image2',
    '-update',
    '1',
    `file:${file}`,
  ];
}

export function imageEncoder(format: ImageRequest['format']): string[] {
  return format === 'jpg' ? ['-c:v', 'mjpeg', '-pix_fmt', 'yuvj420p', '-q:v', '2'] : ['-c:v', 'png'];
}
