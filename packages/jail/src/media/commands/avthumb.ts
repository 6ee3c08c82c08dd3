/** avthumb: transcodes, and checks the result. */
import { readBytes } from '@millpond/blobs';
import { type AvthumbPlan, avthumbFormat, MIB, videoCodecOf } from '@millpond/protocol';
import { commandFailed } from '../engine-messages.ts';
import { ProcessingError } from '../failure.ts';
import { takeOutput } from '../files.ts';
import type { CommandContext } from '../job.ts';
import type { VideoFacts } from '../probe.ts';
import { singleFileResult } from '../results.ts';
import type { MediaResult } from '../types.ts';
import { type AvthumbFiles, avthumbArguments } from './avthumb-arguments.ts';
import { expectedSeconds, muxerArguments } from './encoders.ts';
import { loudnessFilters, MEASURED } from './loudness.ts';
import { runSegments } from './segments.ts';
import { checkSourceEnd } from './source-end.ts';
import { type SourceFacts, sourceFacts } from './source-facts.ts';
import { type ChosenTracks, checkResult, chooseTracks } from './tracks.ts';
import { hasAlpha, isHdr, keepsAlpha } from './video/colors.ts';
import { hidesBeginning, WITH_EDIT_LISTS } from './video/hidden-beginning.ts';
import { masteringParameters } from './video/mastering.ts';
import { checkRotation, keepsRotation } from './video/rotation.ts';
import { lookForTransparency } from './video/transparency.ts';

export async function runAvthumb(context: CommandContext, plan: AvthumbPlan): Promise<MediaResult> {
  const { input, facts } = await sourceFacts(context, 0);
  const tracks = await shownTracks(context, plan, { input, facts });
  await checkBeginning(context, plan, { input, facts });
  const files = await prepare(context, plan, input);
  const seconds = expectedSeconds(plan, facts);
  const source = {
    input,
    facts,
    tracks,
    mastering: await mastering(context, plan, input, tracks.video),
    loudness: await loudnessFilters(context, plan, input, tracks.sounds, seconds),
  };
  warn(context, plan, source);
  const args = avthumbArguments(plan, files, source);
  const progress = { seconds, from: plan.loudnorm ? MEASURED : 0 };
  if (plan.format === 'm3u8') return runSegments(context, plan, source, args, progress);
  const { extension, mimeType } = avthumbFormat(plan.format);
  const name = `out.${extension}`;
  const said = await context.ffmpeg([...args, ...muxerArguments(plan), `file:${name}`], progress);
  const main = await takeOutput(context.folder, name, mimeType);
  const result = await context.probe(name);
  checkResult(tracks, result);
  if (keepsRotation(plan)) checkRotation(tracks.video, result, plan.format);
  const { video, audio, duration } = result;
  await checkSourceEnd(
    context,
    plan,
    source,
    { video: video?.end ?? duration, sound: audio?.end ?? duration },
    said,
  );
  return singleFileResult(main);
}

/** A result that is a gif is as transparent as its source without anybody looking. */
async function shownTracks(
  context: CommandContext,
  plan: AvthumbPlan,
  { input, facts }: SourceFacts,
): Promise<ChosenTracks> {
  const tracks = chooseTracks(plan, facts);
  if (tracks.video === undefined || plan.format === 'gif' || videoCodecOf(plan) === 'copy') return tracks;
  return { ...tracks, video: await lookForTransparency(context, input, tracks.video) };
}

async function checkBeginning(
  context: CommandContext,
  plan: AvthumbPlan,
  { input, facts }: SourceFacts,
): Promise<void> {
  if (videoCodecOf(plan) !== 'copy' || WITH_EDIT_LISTS.has(plan.format)) return;
  if (!(await hidesBeginning(context, input, facts))) return;
  const sentence = `the source hides its first frames by an edit list, which ${plan.format} does not have: encode it`;
  throw new ProcessingError('source', commandFailed(sentence));
}

function mastering(
  context: CommandContext,
  plan: AvthumbPlan,
  input: string,
  video: VideoFacts | undefined,
): Promise<string[]> {
  const isKept = plan.hdr === 'keep' && video !== undefined && isHdr(video);
  return isKept ? masteringParameters(context, input, video) : Promise.resolve([]);
}

function warn(
  context: CommandContext,
  plan: AvthumbPlan,
  { tracks }: { readonly tracks: ReturnType<typeof chooseTracks> },
): void {
  for (const sentence of tracks.leftOut) context.warn(sentence);
  const { video } = tracks;
  if (video !== undefined && videoCodecOf(plan) !== 'copy' && hasAlpha(video) && !keepsAlpha(plan, video))
    context.warn(`the video’s transparency is left out: ${videoCodecOf(plan)} has none`);
}

async function prepare(context: CommandContext, plan: AvthumbPlan, input: string): Promise<AvthumbFiles> {
  const marks = plan.wmImage ?? plan.wmVideo;
  const mark = marks === undefined ? undefined : await context.input(1);
  const subtitleIndex = marks === undefined ? 1 : 2;
  const subtitle = plan.subtitle === undefined ? undefined : await prepareSubtitle(context, subtitleIndex);
  const text = plan.wmText === undefined ? undefined : await context.note('mark.txt', plan.wmText);
  return { input, mark, subtitle, text };
}

const MAX_SUBTITLE_BYTES = 4 * MIB;

/** The file name shows the format: engines go by it. */
async function prepareSubtitle(context: CommandContext, index: number): Promise<string> {
  const source = context.source(index);
  if (source.size > MAX_SUBTITLE_BYTES) throw new ProcessingError('source', 'the subtitle is too large');
  const bytes = await readBytes(source, { offset: 0, length: source.size }, context.signal);
  const text = bytes.toString('utf8').replace(/^\ufeff/, '');
  if (/^WEBVTT/.test(text)) return context.note('subtitle.vtt', text);
  if (/^\s*\[Script Info\]/i.test(text)) return context.note('subtitle.ass', text);
  if (/^\s*\d+\s*\r?\n\s*\d+:\d+:\d+[,.]\d+\s*-->/.test(text)) return context.note('subtitle.srt', text);
  throw new ProcessingError('source', 'the subtitle is neither srt nor ass nor vtt');
}
