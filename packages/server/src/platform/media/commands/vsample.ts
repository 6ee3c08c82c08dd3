/** vsample: images at an interval. If they are far apart, each is sought; if close, the video is decoded throughout. */
import { formatCount, renderName, sampleInterval, samplesOf, type VsamplePlan } from '@millpond/protocol';
import { ProcessingFailed } from '../failure.ts';
import { findOutput, sourceOfFile } from '../files.ts';
import { inputArguments, type Job } from '../job.ts';
import { jsonResult } from '../results.ts';
import type { MediaPart, MediaResult } from '../types.ts';
import { frameFilters, turnArguments } from './frame-filters.ts';
import { frameArguments } from './vframe.ts';

/** From this interval on a seek is cheaper than decoding what lies between. */
const SEEK_FROM_SECONDS = 10;

export async function runVsample(job: Job, plan: VsamplePlan): Promise<MediaResult> {
  const input = await job.input(0);
  const { duration = Number.POSITIVE_INFINITY } = await job.probe(input);
  const interval = sampleInterval(plan);
  const left = Math.min(plan.t, duration - plan.ss);
  const count = Math.min(samplesOf(plan), Math.ceil(left / interval));
  if (!(count >= 1)) throw new ProcessingFailed('source', 'ss is beyond the end of the video');
  if (interval >= SEEK_FROM_SECONDS) await seek(job, plan, input, interval, count);
  else await goThrough(job, plan, input, interval, left);
  const parts = await collect(job, plan, count);
  const keys = parts.map((part) => renderName(plan.pattern, { count: formatCount(part.count) }));
  return { ...(await jsonResult(job, { keys })), parts };
}

async function seek(
  job: Job,
  plan: VsamplePlan,
  input: string,
  interval: number,
  count: number,
): Promise<void> {
  for (let index = 0; index < count; index++) {
    const wishes = { ...plan, width: plan.s?.width, height: plan.s?.height };
    const offset = Math.round((plan.ss + index * interval) * 1000) / 1000;
    await job.ffmpeg(frameArguments(wishes, input, offset, fileOf(index + 1, plan)), {
      ...{ seconds: undefined, from: index / count, to: (index + 1) / count },
    });
  }
}

async function goThrough(
  job: Job,
  plan: VsamplePlan,
  input: string,
  interval: number,
  seconds: number,
): Promise<void> {
  const filters = frameFilters({ rotate: plan.rotate, width: plan.s?.width, height: plan.s?.height });
  await job.ffmpeg(
    [
      ...[
        '-ss',
        String(plan.ss),
        '-t',
        String(plan.t),
        ...turnArguments(plan.rotate),
        ...inputArguments(input),
      ],
      ...['-map', '0:V:0', '-an', '-sn', '-dn', '-fps_mode', 'passthrough'],
      ...['-vf', `select='gte(t+0.0005,selected_n*${interval})',${filters}`],
      ...(plan.format === 'jpg' ? ['-c:v', 'mjpeg', '-pix_fmt', 'yuvj420p', '-q:v', '2'] : ['-c:v', 'png']),
      ...['-f', 'image2', '-start_number', '1', `sample-%06d.${plan.format}`],
    ],
    { seconds },
  );
}

function fileOf(count: number, { format }: VsamplePlan): string {
  return `sample-${formatCount(count)}.${format}`;
}

async function collect(job: Job, plan: VsamplePlan, count: number): Promise<MediaPart[]> {
  const mimeType = plan.format === 'jpg' ? 'image/jpeg' : 'image/png';
  const parts: MediaPart[] = [];
  for (let number = 1; number <= count; number++) {
    const output = await findOutput(job.folder, fileOf(number, plan), mimeType);
    // The last frame may be shown a little before the end that the file states.
    if (output !== undefined) parts.push({ ...output, count: number, extension: plan.format });
  }
  const [first] = parts;
  if (first === undefined) throw new ProcessingFailed('source', 'the engine made no images');
  await job.images.look(sourceOfFile(first), false, job.signal);
  return parts;
}
