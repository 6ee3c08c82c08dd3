/** imageView2, imageMogr2 and watermark: made by the image processes. */
import { headOf, type MediaSource } from '@millpond/blobs';
import type { ImagePlan } from '../../images/index.ts';
import { ProcessingFailed } from '../failure.ts';
import { sourceOfFile, takeOutput } from '../files.ts';
import type { Job } from '../job.ts';
import { alone, originalResult, writeResult } from '../results.ts';
import type { MediaResult } from '../types.ts';

export async function runImage(job: Job, plan: ImagePlan): Promise<MediaResult> {
  const made = await makeImage(job, plan);
  if (made === 'original') return originalResult(job);
  return alone(await writeResult(job, made.bytes, made.mimeType));
}

async function makeImage(job: Job, plan: ImagePlan): ReturnType<Job['images']['make']> {
  try {
    const sources: MediaSource[] = [];
    for (const index of job.sources.keys()) sources.push(await imageSource(job, index));
    const bounds = { ...job.imageBounds, wallMs: job.limits.wallMs };
    return await job.images.make(sources, plan, bounds, job.signal);
  } catch (error) {
    if (mayIgnore(plan, error)) return 'original';
    throw error;
  }
}

/** Whether the command says to return unchanged what cannot be processed. */
export function mayIgnore(plan: ImagePlan, error: unknown): boolean {
  return plan.ignoreError && error instanceof ProcessingFailed && error.reason === 'source';
}

/** Formats that libvips does not read, with the engine's name for them: they are converted to png first. */
const others: readonly { readonly magic: string; readonly demuxer: string }[] = [
  { magic: 'BM', demuxer: 'bmp_pipe' },
  { magic: '8BPS', demuxer: 'psd_pipe' },
];

/** Undefined: the image processes read it themselves, or nothing does. */
async function kindOf(
  source: MediaSource,
  signal: AbortSignal,
): Promise<(typeof others)[number] | undefined> {
  const head = await headOf(source, signal);
  return others.find(({ magic }) => head.toString('latin1').startsWith(magic));
}

/** Whether the image processes can do without ffmpeg. */
export async function needsNoFiles(source: MediaSource, signal: AbortSignal): Promise<boolean> {
  return (await kindOf(source, signal)) === undefined;
}

export async function imageSource(job: Job, index: number): Promise<MediaSource> {
  const source = job.source(index);
  const kind = await kindOf(source, job.signal);
  if (kind === undefined) return source;
  const inside = await job.input(index);
  const file = `image-${index}.png`;
  await job.ffmpeg([
    ...['-protocol_whitelist', 'file,pipe', '-max_pixels', '150000000', '-f', kind.demuxer],
    ...['-i', `file:${inside}`, '-frames:v', '1', '-c:v', 'png', '-f', 'image2', '-update', '1'],
    `file:${file}`,
  ]);
  return sourceOfFile(await takeOutput(job.folder, file, 'image/png'));
}
