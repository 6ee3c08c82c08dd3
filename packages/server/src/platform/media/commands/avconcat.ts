/** avconcat: mode 1 joins streams unchanged, mode 2 makes them uniform and re-encodes them. */
import { type AvconcatPlan, avthumbFormat } from '@millpond/protocol';
import { ProcessingFailed } from '../failure.ts';
import { takeOutput } from '../files.ts';
import { inputArguments, type Job } from '../job.ts';
import type { MediaFacts } from '../probe.ts';
import { alone } from '../results.ts';
import type { MediaResult } from '../types.ts';
import { joinGraph } from './join-graph.ts';

interface Video {
  readonly inside: string;
  readonly facts: MediaFacts;
}

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

export async function runAvconcat(job: Job, plan: AvconcatPlan): Promise<MediaResult> {
  const videos = await inOrder(job, plan);
  const seconds = videos.reduce((sum, { facts }) => sum + (facts.duration ?? 0), 0);
  const name = `out.${plan.format}`;
  const args = plan.mode === '1' ? await asTheyAre(job, videos) : joinGraph(plan, videos);
  await job.ffmpeg([...args, '-sn', '-dn', ...muxers[plan.format], `file:${name}`], { seconds });
  const main = await takeOutput(job.folder, name, avthumbFormat(plan.format).mimeType);
  await job.probe(`${name}`);
  return alone(main);
}

/** Puts the source object at its index, with the others around it. */
async function inOrder(job: Job, { index = 1 }: AvconcatPlan): Promise<Video[]> {
  const others = [...job.sources.keys()].slice(1);
  const order = [...others.slice(0, index - 1), 0, ...others.slice(index - 1)];
  const videos: Video[] = [];
  for (const number of order) {
    const inside = await job.input(number);
    videos.push({ inside, facts: await job.probe(inside) });
  }
  return videos;
}

async function asTheyAre(job: Job, videos: readonly Video[]): Promise<string[]> {
  const [first] = videos;
  const differing = videos.findIndex(({ facts }) => first !== undefined && !alike(first.facts, facts));
  if (differing >= 0)
    throw new ProcessingFailed(
      'source',
      `video ${differing + 1} differs from the first in codec, size or rate: use mode 2`,
    );
  // Every video was inspected before, so none of them is a list that names others.
  const lines = videos.map(({ inside }) => `file '${inside}'\n`);
  const list = await job.note('list', `ffconcat version 1.0\n${lines.join('')}`);
  const streams = [first?.facts.video, first?.facts.audio].flatMap((stream) =>
    stream === undefined ? [] : ['-map', `0:${stream.index}`],
  );
  return ['-safe', '0', ...inputArguments(list, 'list'), ...streams, '-c', 'copy'];
}

function alike(one: MediaFacts, other: MediaFacts): boolean {
  const shape = ({ video, audio }: MediaFacts): string =>
    JSON.stringify([
      ...[video?.codec, video?.width, video?.height, video?.pixelFormat, video?.rotation],
      ...[audio?.codec, audio?.sampleRate, audio?.channels, video?.index, audio?.index],
    ]);
  return shape(one) === shape(other);
}
