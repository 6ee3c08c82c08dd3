/**
 * Whether all of a source went into its result. Engines end well where a file ends, even in the middle of a film, and where they
 * could not read all of it.
 */
import type { AvthumbPlan } from '@millpond/protocol';
import { commandFailed } from '../engine-messages.ts';
import { ProcessingError } from '../failure.ts';
import type { CommandContext } from '../job.ts';
import type { MediaFacts } from '../probe.ts';
import type { ChosenTracks } from './tracks.ts';

/** These say how long they are at their beginning, whatever follows. */
const DECLARING = /^(?:mov|matroska|flv|asf|flac)\b/;

/** What the result has, in seconds, of its video and of its first sound; undefined where nobody can say. */
export interface ResultSeconds {
  readonly video: number | undefined;
  readonly sound: number | undefined;
}

interface Part {
  readonly index: number;
  /** When it ends in the source. */
  readonly end: number;
  readonly expected: number;
  readonly got: number;
}

/** Fails if the source ends before its container says, or warns of it. `said`: by the engine that read it. */
export async function checkSourceEnd(
  context: CommandContext,
  plan: AvthumbPlan,
  source: { readonly input: string; readonly facts: MediaFacts; readonly tracks: ChosenTracks },
  result: ResultSeconds,
  said: string,
): Promise<void> {
  const { facts, tracks } = source;
  for (const part of partsOf(plan, facts, tracks, result)) {
    if (part.got >= part.expected - slack(part.expected)) continue;
    if (await reachesEnd(context, source, part)) continue;
    const [got, all] = [(plan.ss ?? 0) + part.got, part.end].map((seconds) => seconds.toFixed(2));
    return report(context, plan, `the source ends after ${got} of ${all} s`);
  }
  checkDamage(context, plan, said, result.video ?? result.sound ?? 0);
}

function report(context: CommandContext, plan: AvthumbPlan, sentence: string): void {
  if (!plan['ignore-error']) throw new ProcessingError('source', commandFailed(sentence));
  context.warn(sentence);
}

function slack(seconds: number): number {
  return Math.max(1, seconds * 0.02);
}

function partsOf(
  { ss = 0, t = Number.POSITIVE_INFINITY }: AvthumbPlan,
  facts: MediaFacts,
  { video, sounds: [sound] }: ChosenTracks,
  result: ResultSeconds,
): Part[] {
  const { duration } = facts;
  if (duration === undefined || !declaresLength(facts)) return [];
  const chosen = [
    { track: video, got: result.video },
    { track: sound, got: result.sound },
  ];
  const parts = chosen.flatMap(({ track, got }) =>
    track?.end === undefined || got === undefined
      ? []
      : [{ index: track.index, end: track.end, expected: Math.min(t, track.end - ss), got }],
  );
  // Where only the file has a length, it is that of its longest track.
  const isWhole =
    (video === undefined) === (facts.video === undefined) &&
    (sound === undefined) === (facts.audio === undefined);
  const index = (video ?? sound)?.index;
  if (parts.length > 0 || !isWhole || index === undefined) return parts;
  const got = Math.max(result.video ?? 0, result.sound ?? 0);
  return [{ index, end: duration, expected: Math.min(t, duration - ss), got }];
}

/** An MP3 says its length only in a head that not all have: without one it is estimated, from its size. */
function declaresLength({ container, duration = 0, audio, size }: MediaFacts): boolean {
  if (container !== 'mp3') return DECLARING.test(container);
  return audio?.bitrate !== undefined && duration > (size * 8 * 1.02) / audio.bitrate;
}

/** A last frame may be shown for long: then a track ends there, and is shorter than its file says. */
async function reachesEnd(
  context: CommandContext,
  { input, facts }: { readonly input: string; readonly facts: MediaFacts },
  { index, end, expected }: Part,
): Promise<boolean> {
  const from = Math.max(0, facts.start + end - slack(expected) - 1);
  const text = await context
    .inspect(input, [
      '-select_streams',
      String(index),
      '-read_intervals',
      `${from.toFixed(3)}%+#20000`,
      '-show_entries',
      'packet=pts_time,duration_time',
      '-of',
      'csv=p=0',
    ])
    .catch((error: unknown) => {
      if (error instanceof ProcessingError && error.reason === 'source') return '';
      throw error;
    });
  const last = text.split('\n').reduce((latest, line) => {
    const [at = Number.NaN, length = 0] = line.split(',').map(Number);
    return Number.isFinite(at) ? Math.max(latest, at + (Number.isFinite(length) ? length : 0)) : latest;
  }, 0);
  return last - facts.start >= end - slack(expected);
}

/** What decoders say of broken frames. The first frames of a recording that began in the middle are none. */
const DAMAGE =
  /error while decoding|Invalid NAL unit size|corrupt|Error splitting the input|partial file|ended prematurely|Invalid data found|invalid residual|Invalid level prefix|concealing/i;
/** More than that, and more than one a second, is not a film any more. */
const MAX_ERRORS = 100;

function checkDamage(context: CommandContext, plan: AvthumbPlan, said: string, seconds: number): void {
  const errors = errorsIn(said);
  if (errors >= MAX_ERRORS && errors >= seconds) report(context, plan, damage(errors));
  else if (errors > 0) context.warn(damage(errors));
}

function damage(errors: number): string {
  return `the source is damaged: its decoders report ${errors} errors`;
}

function errorsIn(said: string): number {
  return said.split('\n').filter((line) => DAMAGE.test(line)).length;
}

/** For videos that are joined: all of them together are as long as they say, or somebody is told. */
export function warnOfEnds(
  context: CommandContext,
  seconds: number,
  got: number | undefined,
  said: string,
): void {
  if (got !== undefined && got < seconds - slack(seconds))
    context.warn(`a video ends early: the result has ${got.toFixed(2)} of ${seconds.toFixed(2)} s`);
  else if (errorsIn(said) > 0) context.warn(damage(errorsIn(said)));
}
