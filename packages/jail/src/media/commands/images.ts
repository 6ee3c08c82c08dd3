/** imageView2, imageMogr2 and watermark: made by the image processes. */
import { headOf, type MediaSource } from '@millpond/blobs';
import type { ImagePlan } from '../../images/index.ts';
import { ProcessingError } from '../failure.ts';
import { sourceOfFile, takeOutput } from '../files.ts';
import type { CommandContext } from '../job.ts';
import { originalResult, singleFileResult, writeResult } from '../results.ts';
import type { MediaResult } from '../types.ts';

export async function runImage(context: CommandContext, plan: ImagePlan): Promise<MediaResult> {
  const made = await makeImage(context, plan);
  if (made === 'original') return originalResult(context);
  return singleFileResult(await writeResult(context, made.bytes, made.mimeType));
}

async function makeImage(
  context: CommandContext,
  plan: ImagePlan,
): ReturnType<CommandContext['images']['make']> {
  try {
    const sources: MediaSource[] = [];
    for (const index of context.sources.keys()) sources.push(await imageSource(context, index));
    const bounds = { ...context.imageBounds, wallMs: context.limits.wallMs };
    return await context.images.make(sources, plan, bounds, context.signal);
  } catch (error) {
    if (mayIgnore(plan, error)) return 'original';
    throw error;
  }
}

/** Whether the command says to return unchanged what cannot be processed. */
export function mayIgnore(plan: ImagePlan, error: unknown): boolean {
  return plan.ignoreError && error instanceof ProcessingError && error.reason === 'source';
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

export async function imageSource(context: CommandContext, index: number): Promise<MediaSource> {
  const source = context.source(index);
  const kind = await kindOf(source, context.signal);
  if (kind === undefined) return source;
  const inside = await context.input(index);
  const file = `image-${index}.png`;
  await context.ffmpeg([
    '-protocol_whitelist',
    'file,pipe',
    '-max_pixels',
    '150000000',
    '-f',
    kind.demuxer,
    '-i',
    `file:${inside}`,
    '-frames:v',
    '1',
    '-c:v',
    'png',
    '-f',
    'image2',
    '-update',
    '1',
    `file:${file}`,
  ]);
  return sourceOfFile(await takeOutput(context.folder, file, 'image/png'));
}
