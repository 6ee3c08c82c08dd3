/** avconcat: mode 1 joins streams unchanged, mode 2 makes them uniform and re-encodes them. */
import { type AvconcatPlan, avthumbFormat } from '@millpond/protocol';
import { ProcessingError } from '../failure.ts';
import { takeOutput } from '../files.ts';
import { type CommandContext, inputArguments } from '../job.ts';
import type { MediaFacts } from '../probe.ts';
import { singleFileResult } from '../results.ts';
import type { MediaResult } from '../types.ts';
import { H265_TAG } from './encoders.ts';
import { joinGraph } from './join-graph.ts';
import { keptTags } from './metadata.ts';
import { warnOfEnds } from './source-end.ts';
import { type SourceFacts, shownSeconds, sourceFacts } from './source-facts.ts';
import { hidesBeginning } from './video/hidden-beginning.ts';
import { checkRotation } from './video/rotation.ts';

const muxers: Readonly<Record<AvconcatPlan['format'], readonly string[]>> = {
  mp4: ['-f', 'mp4', '-movflags', '+faststart'],
  mov: ['-f', 'mov', '-movflags', '+faststart'],
  mkv: ['-f', 'matroska'],
  flv: ['-f', 'flv'],
  ts: ['-f', 'mpegts'],
  mp3: ['-f', 'mp3'],
  m4a: ['-f', 'ipod', '-movflags', '+faststart'],
  wav: ['-f', 'wav'],
};

export async function runAvconcat(context: CommandContext, plan: AvconcatPlan): Promise<MediaResult> {
  const videos = await inOrder(context, plan);
  const seconds = videos.reduce((sum, { facts }) => sum + (shownSeconds(facts) ?? 0), 0);
  const name = `out.${plan.format}`;
  const args = plan.mode === '1' ? await asTheyAre(context, plan, videos) : joinGraph(plan, videos);
  const tags = videos[0] === undefined ? [] : keptTags(videos[0].facts.tags);
  const said = await context.ffmpeg(
    [...args, '-sn', '-dn', ...tags, ...muxers[plan.format], `file:${name}`],
    {
      seconds,
    },
  );
  const main = await takeOutput(context.folder, name, avthumbFormat(plan.format).mimeType);
  const result = await context.probe(name);
  if (plan.mode === '1') checkRotation(videos[0]?.facts.video, result, plan.format);
  warnOfTracks(context, plan, videos);
  warnOfEnds(context, seconds, result.video?.end ?? result.duration, said);
  return singleFileResult(main);
}

/** Only the first tracks are joined. */
function warnOfTracks(
  context: CommandContext,
  { format }: AvconcatPlan,
  videos: readonly SourceFacts[],
): void {
  const isFilm = avthumbFormat(format).video !== null;
  const most = (count: (facts: MediaFacts) => number): number =>
    Math.max(...videos.map(({ facts }) => count(facts)));
  if (isFilm && most((facts) => facts.videos) > 1)
    context.warn('only the first video track of each video is joined');
  if (most(({ audios }) => audios.length) > 1)
    context.warn('only the first sound track of each video is joined');
  if (isFilm && most(({ subtitles }) => subtitles.length) > 0) context.warn('subtitle tracks are not joined');
}

/** Puts the source object at its index, with the others around it. */
async function inOrder(context: CommandContext, { index = 1 }: AvconcatPlan): Promise<SourceFacts[]> {
  const others = [...context.sources.keys()].slice(1);
  const order = [...others.slice(0, index - 1), 0, ...others.slice(index - 1)];
  const videos: SourceFacts[] = [];
  for (const number of order) videos.push(await sourceFacts(context, number));
  return videos;
}

async function asTheyAre(
  context: CommandContext,
  { format }: AvconcatPlan,
  videos: readonly SourceFacts[],
): Promise<string[]> {
  const [first] = videos;
  const differing = videos.findIndex(({ facts }) => first !== undefined && !alike(first.facts, facts));
  if (differing >= 0)
    throw new ProcessingError(
      'source',
      `video ${differing + 1} differs from the first in codec, size or rate: use mode 2`,
    );
  for (const [index, { input, facts }] of videos.entries())
    if (await hidesBeginning(context, input, facts))
      throw new ProcessingError(
        'source',
        `video ${index + 1} hides its first frames by an edit list, which joined videos do not have: use mode 2`,
      );
  // Every video was inspected before, so none of them is a list that names others.
  const lines = videos.map(({ input, facts }) => {
    const seconds = shownSeconds(facts);
    return `file '${input}'\n${seconds === undefined ? '' : `duration ${seconds.toFixed(6)}\n`}`;
  });
  const list = await context.note('list', `ffconcat version 1.0\n${lines.join('')}`);
  const streams = [first?.facts.video, first?.facts.audio].flatMap((stream) =>
    stream === undefined ? [] : ['-map', `0:${stream.index}`],
  );
  const tag = first?.facts.video?.codec === 'hevc' && (format === 'mp4' || format === 'mov') ? H265_TAG : [];
  return ['-safe', '0', ...inputArguments(list, 'list'), ...streams, '-c', 'copy', ...tag];
}

function alike(one: MediaFacts, other: MediaFacts): boolean {
  const shape = ({ video, audio }: MediaFacts): string =>
    JSON.stringify([
      video?.codec,
      video?.width,
      video?.height,
      video?.pixelAspect,
      video?.pixelFormat,
      video?.rotation,
      audio?.codec,
      audio?.sampleRate,
      audio?.channels,
      video?.index,
      audio?.index,
    ]);
  return shape(one) === shape(other);
}
