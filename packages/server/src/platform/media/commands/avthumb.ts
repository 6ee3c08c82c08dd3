/** avthumb: transcodes, and checks the result. */
import { type AvthumbPlan, avthumbFormat } from '@millpond/protocol';
import { readBytes } from '../../content-source.ts';
import { ProcessingFailed } from '../failure.ts';
import { takeOutput } from '../files.ts';
import type { Job } from '../job.ts';
import { alone } from '../results.ts';
import type { MediaResult } from '../types.ts';
import { type AvthumbFiles, avthumbArguments } from './avthumb-arguments.ts';
import { expectedSeconds, muxerArguments } from './encoders.ts';
import { runSegments } from './segments.ts';
import { checkResult } from './streams.ts';

export async function runAvthumb(job: Job, plan: AvthumbPlan): Promise<MediaResult> {
  const input = await job.input(0);
  const facts = await job.probe(input);
  const files = await prepare(job, plan, input);
  const args = avthumbArguments(plan, facts, files);
  const seconds = expectedSeconds(plan, facts);
  if (plan.format === 'm3u8') return runSegments(job, plan, facts, args, seconds);
  const { extension, mimeType } = avthumbFormat(plan.format);
  const name = `out.${extension}`;
  await job.ffmpeg([...args, ...muxerArguments(plan), `file:${name}`], { seconds });
  const main = await takeOutput(job.folder, name, mimeType);
  checkResult(plan, facts, await job.probe(`${name}`));
  return alone(main);
}

async function prepare(job: Job, plan: AvthumbPlan, input: string): Promise<AvthumbFiles> {
  const marks = plan.wmImage ?? plan.wmVideo;
  const mark = marks === undefined ? undefined : await job.input(1);
  const subtitleIndex = marks === undefined ? 1 : 2;
  const subtitle = plan.subtitle === undefined ? undefined : await prepareSubtitle(job, subtitleIndex);
  const text = plan.wmText === undefined ? undefined : await job.note('mark.txt', plan.wmText);
  return { input, mark, subtitle, text };
}

const MAX_SUBTITLE_BYTES = 4 * 1024 * 1024;

/** The file name shows the format: engines go by it. */
async function prepareSubtitle(job: Job, index: number): Promise<string> {
  const source = job.source(index);
  if (source.size > MAX_SUBTITLE_BYTES) throw new ProcessingFailed('source', 'the subtitle is too large');
  const bytes = await readBytes(source, { offset: 0, length: source.size }, job.signal);
  const text = bytes.toString('utf8').replace(/^\ufeff/, '');
  if (/^WEBVTT/.test(text)) return job.note('subtitle.vtt', text);
  if (/^\s*\[Script Info\]/i.test(text)) return job.note('subtitle.ass', text);
  if (/^\s*\d+\s*\r?\n\s*\d+:\d+:\d+[,.]\d+\s*-->/.test(text)) return job.note('subtitle.srt', text);
  throw new ProcessingFailed('source', 'the subtitle is neither srt nor ass nor vtt');
}
