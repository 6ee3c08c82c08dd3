/**
 * Loudness by EBU R 128: the sound is measured, and then gets one gain for all of it, which changes nothing else. Where its peaks
 * would be too high with that gain they are limited; the gain is then tried out and corrected, because a limiter makes quieter.
 */
import type { AvthumbPlan } from '@millpond/protocol';
import { type CommandContext, inputArguments } from '../job.ts';
import type { AudioFacts } from '../probe.ts';
import { layoutFilters, volumeFilters } from './sound.ts';

const TARGET_LUFS = -23;
const HIGHEST_PEAK = -1;
/** What a limiter leaves for encoders, whose peaks are a little higher than those of their source. */
const ENCODER_MARGIN = 0.5;
/** Tolerance around the target; measurements have one decimal. */
const TOLERANCE_LU = 0.2;
const MAX_TRIES = 4;
/** The measure of silence, and of what is shorter than it takes to measure. */
const SILENCE_LUFS = -70;

interface Loudness {
  readonly integrated: number;
  readonly peak: number;
}

/** How much of the work of a command is done when everything has been measured. */
export const MEASURED = 0.2;

/** Filters for each track. */
export async function loudnessFilters(
  context: CommandContext,
  plan: AvthumbPlan,
  input: string,
  tracks: readonly AudioFacts[],
  seconds: number | undefined,
): Promise<string[][]> {
  if (!plan.loudnorm) return tracks.map(() => []);
  let measured = 0;
  // Nobody knows how often it takes: each time is half of what is left.
  const progress = () => {
    const from = MEASURED * (1 - 0.5 ** measured);
    return { seconds, from, to: MEASURED * (1 - 0.5 ** ++measured) };
  };
  const filters: string[][] = [];
  for (const track of tracks) filters.push(await ofTrack(context, plan, input, track, progress));
  return filters;
}

async function ofTrack(
  context: CommandContext,
  plan: AvthumbPlan,
  input: string,
  track: AudioFacts,
  progress: () => Parameters<CommandContext['ffmpeg']>[1],
): Promise<string[]> {
  const target = plan.loudnormI ?? TARGET_LUFS;
  const highest = plan.loudnormTP ?? HIGHEST_PEAK;
  const before = [...layoutFilters(plan, track), ...volumeFilters(plan)];
  const measure = (filters: readonly string[]): Promise<Loudness | undefined> =>
    measureLoudness(context, plan, input, track, [...before, ...filters], progress());
  const own = await measure([]);
  if (own === undefined || own.integrated <= SILENCE_LUFS) {
    context.warn('the loudness stays as it is: the sound is silent, or too short to be measured');
    return [];
  }
  let gain = round(target - own.integrated);
  if (own.peak + gain <= highest) return [volume(gain)];
  let reached = own.integrated;
  let filters: string[] = [];
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    filters = [volume(gain), ...limiter(highest)];
    reached = (await measure(filters))?.integrated ?? reached;
    if (Math.abs(target - reached) <= TOLERANCE_LU) break;
    gain = round(gain + target - reached);
  }
  context.warn(
    `the loudness is ${reached.toFixed(1)} LUFS: the sound’s peaks forbid the gain that it needs, and are limited to ${highest} dBTP`,
  );
  return filters;
}

function round(decibels: number): number {
  return Math.round(decibels * 100) / 100;
}

function volume(gain: number): string {
  return `volume=${gain}dB`;
}

/** It sees peaks between samples too, because it works at a multiple of their rate. */
function limiter(highest: number): string[] {
  const limit = 10 ** ((highest - ENCODER_MARGIN) / 20);
  return ['aresample=192000', `alimiter=level=0:limit=${limit.toFixed(4)}:attack=5:release=50`];
}

async function measureLoudness(
  context: CommandContext,
  { ss, t }: AvthumbPlan,
  input: string,
  track: AudioFacts,
  filters: readonly string[],
  progress: Parameters<CommandContext['ffmpeg']>[1],
): Promise<Loudness | undefined> {
  const said = await context.ffmpeg(
    [
      // The measurement is said as information.
      '-v',
      'info',
      ...(ss === undefined ? [] : ['-ss', String(ss)]),
      ...inputArguments(input),
      '-map',
      `0:${track.index}`,
      ...(t === undefined ? [] : ['-t', String(t)]),
      '-af',
      [...filters, 'ebur128=peak=true:framelog=verbose'].join(','),
      '-f',
      'null',
      '-',
    ],
    progress,
  );
  const summary = said.slice(said.lastIndexOf('Integrated loudness:'));
  const integrated = numberAfter(/\bI:\s+(-?[\d.]+) LUFS/, summary);
  const peak = numberAfter(/\bPeak:\s+(-?[\d.]+) dBFS/, summary);
  return integrated === undefined || peak === undefined ? undefined : { integrated, peak };
}

function numberAfter(form: RegExp, text: string): number | undefined {
  const found = form.exec(text)?.[1];
  return found === undefined ? undefined : Number(found);
}
