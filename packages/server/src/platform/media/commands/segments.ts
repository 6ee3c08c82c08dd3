/** avthumb/m3u8: segments and their playlist, with neutral names until the storing side names them. */

import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { type AvthumbPlan, avthumbFormat, formatCount, videoCodecOf } from '@millpond/protocol';
import { ProcessingFailed } from '../failure.ts';
import { takeOutput } from '../files.ts';
import type { Job } from '../job.ts';
import type { MediaFacts } from '../probe.ts';
import { writeResult } from '../results.ts';
import type { MediaPart, MediaResult, PartName } from '../types.ts';
import { checkResult } from './streams.ts';

const DEFAULT_SECONDS = 10;
const PLAYLIST = 'out.m3u8';
const MAX_PLAYLIST_BYTES = 16 * 1024 * 1024;
const MAX_CUTS = 20_000;

export async function runSegments(
  job: Job,
  plan: AvthumbPlan,
  facts: MediaFacts,
  args: readonly string[],
  seconds: number | undefined,
): Promise<MediaResult> {
  const muxer =
    plan.segFirstTime === undefined
      ? await evenly(job, plan)
      : firstShorter(plan, plan.segFirstTime, seconds);
  await job.ffmpeg([...args, ...keyFrames(plan), ...muxer], { seconds });
  const { playlist, names } = readPlaylist(
    await readSmall(job, PLAYLIST),
    plan,
    job.addressOf ?? relativeName,
  );
  const parts: MediaPart[] = [];
  for (const name of names) {
    const mimeType = name.extension === 'ts' ? 'video/mp2t' : 'video/mp4';
    parts.push({ ...(await takeOutput(job.folder, fileOf(name), mimeType)), ...name });
  }
  if (parts.length === 0) throw new ProcessingFailed('source', 'the engine made no segments');
  // An encrypted segment, or one without its head, reveals nothing by itself.
  if (plan.hlsKey === undefined && plan.segmentType !== 'fmp4')
    checkResult(plan, facts, await job.probe(`${fileOf(parts[0] ?? { count: 0, extension: 'ts' })}`));
  const main = await writeResult(job, Buffer.from(playlist), avthumbFormat('m3u8').mimeType);
  return { main, parts };
}

async function evenly(job: Job, plan: AvthumbPlan): Promise<string[]> {
  const fragmented = plan.segmentType === 'fmp4';
  return [
    ...['-f', 'hls', '-hls_time', String(plan.segtime ?? DEFAULT_SECONDS), '-hls_playlist_type', 'vod'],
    ...['-hls_list_size', '0', '-hls_segment_filename', `seg-%06d.${fragmented ? 'm4s' : 'ts'}`],
    ...(fragmented ? ['-hls_segment_type', 'fmp4', '-hls_fmp4_init_filename', 'init.mp4'] : []),
    ...(plan.hlsKey === undefined ? [] : ['-hls_key_info_file', await keyFile(job, plan)]),
    `${PLAYLIST}`,
  ];
}

/** The key is passed in files only: everybody on the machine can see arguments. */
async function keyFile(job: Job, { hlsKey = '', hlsKeyUrl = '', hlsIV }: AvthumbPlan): Promise<string> {
  const key = await job.note('key', Buffer.from(hlsKey, 'hex'));
  return job.note('key-info', `${hlsKeyUrl}\n${key}\n${hlsIV ?? ''}`);
}

function firstShorter(plan: AvthumbPlan, first: number, seconds: number | undefined): string[] {
  return [
    ...['-f', 'segment', '-segment_format', 'mpegts', '-segment_times', cuts(plan, first, seconds).join(',')],
    ...['-segment_list', `${PLAYLIST}`, '-segment_list_type', 'm3u8', '-segment_list_size', '0'],
    'seg-%06d.ts',
  ];
}

function cuts(plan: AvthumbPlan, first: number, seconds = 360_000): number[] {
  const step = plan.segtime ?? DEFAULT_SECONDS;
  const count = Math.min(MAX_CUTS, Math.max(1, Math.ceil((seconds - first) / step)));
  return Array.from({ length: count }, (_, index) => first + index * step);
}

/** A segment begins with a key frame, so there must be one. */
function keyFrames(plan: AvthumbPlan): string[] {
  const codec = videoCodecOf(plan);
  if (codec === undefined || codec === 'copy' || plan.keyFramePosition !== undefined) return [];
  const step = plan.segtime ?? DEFAULT_SECONDS;
  const first = plan.segFirstTime;
  const times =
    first === undefined
      ? `gte(t,n_forced*${step})`
      : `gte(t,if(eq(n_forced,0),0,${first}+(n_forced-1)*${step}))`;
  return ['-sc_threshold', '0', '-force_key_frames', `expr:${times}`];
}

async function readSmall(job: Job, name: string): Promise<string> {
  const { path, size } = await takeOutput(job.folder, name, 'text/plain');
  if (size > MAX_PLAYLIST_BYTES) throw new ProcessingFailed('limit', 'the playlist is too large');
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
}

const HEAD: PartName = { count: -1, extension: 'mp4' };

function fileOf({ count, extension }: PartName): string {
  return count < 0 ? 'init.mp4' : `seg-${formatCount(count)}.${extension}`;
}

function relativeName({ count, extension }: PartName): string {
  return count < 0 ? 'init.mp4' : `${formatCount(count)}.${extension}`;
}

/** Replaces the names that we gave by those they are stored under; any other name is an attack. */
function readPlaylist(
  text: string,
  plan: AvthumbPlan,
  addressOf: (part: PartName) => string,
): { playlist: string; names: PartName[] } {
  const names: PartName[] = [];
  const lines = text.split('\n').map((line) => {
    if (line.startsWith('#EXT-X-MAP:')) {
      names.push(HEAD);
      return `#EXT-X-MAP:URI="${addressOf(HEAD)}"`;
    }
    if (line.startsWith('#EXT-X-KEY:')) return checkedKey(line, plan);
    if (line === '' || line.startsWith('#')) return line;
    const [, count, extension] = /^seg-(\d{6,9})\.(ts|m4s)$/.exec(line) ?? [];
    if (count === undefined || extension === undefined)
      throw new ProcessingFailed('source', 'the playlist names a file that is not part of it');
    const name = { count: Number(count), extension };
    names.push(name);
    return addressOf(name);
  });
  return { playlist: lines.join('\n'), names };
}

function checkedKey(line: string, { hlsKeyUrl }: AvthumbPlan): string {
  if (hlsKeyUrl === undefined || !line.includes(`URI="${hlsKeyUrl}"`))
    throw new ProcessingFailed('source', 'the playlist names another key');
  return line;
}
