/** Frames of a video with a variable rate keep their times, where the container can say them. */
import { type AvthumbPlan, videoCodecOf } from '@millpond/protocol';
import { quotient, type VideoFacts } from '../../probe.ts';

/** Their players count frames. */
const CONSTANT: ReadonlySet<AvthumbPlan['format']> = new Set(['avi', 'ogv', 'wmv']);
/** These encoders take no rate as high as the nominal one of a variable video may be. */
const COARSE_CODECS: ReadonlySet<string> = new Set(['libxvid', 'flv']);
/** These encoders take times as fine as those of any source. */
const WITH_FINE_TIMES: ReadonlySet<string> = new Set(['libx264', 'libx265']);
const MAX_FRAMES_PER_SECOND = 60;
/** A mean that is this near to the nominal rate differs by how it was counted. */
const JITTER = 0.01;

function isConstant(plan: AvthumbPlan): boolean {
  const { format, segmentType } = plan;
  const isByFormat = CONSTANT.has(format) || (format === 'm3u8' && segmentType !== 'fmp4');
  return isByFormat || COARSE_CODECS.has(videoCodecOf(plan) ?? '');
}

function isVariable({ meanRate, nominalRate }: VideoFacts): boolean {
  return meanRate !== nominalRate;
}

/** As an encoder option it would add frames at the end. */
export function rateFilters(plan: AvthumbPlan, video: VideoFacts): string[] {
  if (plan.r !== undefined) return [`fps=${plan.r}`];
  const mean = quotient(video.meanRate);
  if (!isConstant(plan) || mean === undefined) return [];
  if (mean > MAX_FRAMES_PER_SECOND) return [`fps=${MAX_FRAMES_PER_SECOND}`];
  const nominal = quotient(video.nominalRate) ?? mean;
  return Math.abs(nominal - mean) > mean * JITTER ? [`fps=${video.meanRate}`] : [];
}

/** The nominal rate of a variable video may be 1000 a second: filled up, it would be huge. */
export function rateArguments(plan: AvthumbPlan, video: VideoFacts): string[] {
  if (plan.r !== undefined || isConstant(plan) || plan.format === 'gif') return [];
  const isFine = isVariable(video) && WITH_FINE_TIMES.has(videoCodecOf(plan) ?? '');
  return ['-fps_mode', 'vfr', ...(isFine ? ['-enc_time_base', timeBaseOf(video)] : [])];
}

function timeBaseOf({ timeBase }: VideoFacts): string {
  const [, den] = /^1\/(\d{3,6})$/.exec(timeBase ?? '') ?? [];
  return `1:${den ?? 90_000}`;
}
