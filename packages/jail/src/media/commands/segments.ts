/** avthumb/m3u8: segments and their playlist, with neutral names until the storing side names them. */
import { constants } from 'node:fs';
import { open, writeFile } from 'node:fs/promises';
import { type AvthumbPlan, avthumbFormat, formatCount, MIB, videoCodecOf } from '@millpond/protocol';
import { ProcessingError } from '../failure.ts';
import { takeOutput } from '../files.ts';
import type { CommandContext } from '../job.ts';
import type { MediaFacts, VideoFacts } from '../probe.ts';
import { writeResult } from '../results.ts';
import type { MediaOutput, MediaPart, MediaResult, PartName } from '../types.ts';
import { encryptSegment, keyLine } from './encryption.ts';
import { checkSourceEnd } from './source-end.ts';
import { type ChosenTracks, checkResult } from './tracks.ts';
import { cannotSayRotation, keepsRotation, rotateHead } from './video/rotation.ts';

const DEFAULT_SECONDS = 10;
const PLAYLIST = 'out.m3u8';
/** And of the head of fragmented segments, which is far smaller. */
const MAX_PLAYLIST_BYTES = 16 * MIB;
const MAX_CUTS = 20_000;

export async function runSegments(
  context: CommandContext,
  plan: AvthumbPlan,
  source: { readonly input: string; readonly facts: MediaFacts; readonly tracks: ChosenTracks },
  args: readonly string[],
  progress: { readonly seconds: number | undefined; readonly from: number },
): Promise<MediaResult> {
  const muxer =
    plan.segFirstTime === undefined ? evenly(plan) : firstShorter(plan, plan.segFirstTime, progress.seconds);
  const said = await context.ffmpeg([...args, ...keyFrames(plan), ...muxer], progress);
  const text = await readSmall(context, PLAYLIST);
  const { playlist, names } = readPlaylist(text, plan, context.addressOf ?? relativeName);
  const found: MediaPart[] = [];
  for (const name of names) {
    const mimeType = name.extension === 'ts' ? 'video/mp2t' : 'video/mp4';
    found.push({ ...(await takeOutput(context.folder, fileOf(name), mimeType)), ...name });
  }
  const [first] = found;
  if (first === undefined) throw new ProcessingError('source', 'the engine made no segments');
  // The first of fragmented segments is their head, which says what is in all of them.
  const parts = await withRotation(context, plan, source.tracks.video, found);
  checkResult(source.tracks, await context.probe(fileOf(first)));
  const seconds = secondsOf(text);
  await checkSourceEnd(context, plan, source, { video: seconds, sound: seconds }, said);
  const main = await writeResult(context, Buffer.from(playlist), avthumbFormat('m3u8').mimeType);
  if (plan.hlsKey === undefined) return { main, parts };
  const encrypted: MediaPart[] = [];
  for (const part of parts) encrypted.push(await encryptSegment(context, plan, part));
  return { main, parts: encrypted };
}

function secondsOf(playlist: string): number {
  return [...playlist.matchAll(/^#EXTINF:(\d+(?:\.\d+)?)/gm)].reduce(
    (sum, [, seconds]) => sum + Number(seconds),
    0,
  );
}

/** If frames are not turned, the head of the segments has to say it; MPEG-TS has no head. */
async function withRotation(
  context: CommandContext,
  plan: AvthumbPlan,
  video: VideoFacts | undefined,
  parts: readonly MediaPart[],
): Promise<readonly MediaPart[]> {
  const [head, ...segments] = parts;
  if (video === undefined || video.rotation === 0 || !keepsRotation(plan) || head === undefined) return parts;
  if (head.count !== HEAD.count)
    throw new ProcessingError('source', cannotSayRotation(video, 'ts', 'encode it, or segmentType/fmp4'));
  const bytes = rotateHead(await readPart(head), video.rotation);
  const { outside } = context.notePath('head');
  await writeFile(outside, bytes, { flag: 'wx', mode: 0o444 });
  return [{ ...head, path: outside, size: bytes.length }, ...segments];
}

function evenly(plan: AvthumbPlan): string[] {
  const fragmented = plan.segmentType === 'fmp4';
  return [
    '-f',
    'hls',
    '-hls_time',
    String(plan.segtime ?? DEFAULT_SECONDS),
    '-hls_playlist_type',
    'vod',
    '-hls_list_size',
    '0',
    '-hls_segment_filename',
    `seg-%06d.${fragmented ? 'm4s' : 'ts'}`,
    ...(fragmented ? ['-hls_segment_type', 'fmp4', '-hls_fmp4_init_filename', 'init.mp4'] : []),
    PLAYLIST,
  ];
}

function firstShorter(plan: AvthumbPlan, first: number, seconds: number | undefined): string[] {
  return [
    '-f',
    'segment',
    '-segment_format',
    'mpegts',
    '-segment_times',
    cuts(plan, first, seconds).join(','),
    '-segment_list',
    PLAYLIST,
    '-segment_list_type',
    'm3u8',
    '-segment_list_size',
    '0',
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

async function readSmall(context: CommandContext, name: string): Promise<string> {
  return (await readPart(await takeOutput(context.folder, name, 'text/plain'))).toString('utf8');
}

/** Reads a playlist, or the head of segments. */
async function readPart({ path, size }: MediaOutput): Promise<Buffer> {
  if (size > MAX_PLAYLIST_BYTES) throw new ProcessingError('limit', 'the playlist is too large');
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    return await handle.readFile();
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
    if (line.startsWith('#EXT-X-KEY:'))
      throw new ProcessingError('source', 'the playlist names a key that is not part of it');
    if (line === '' || line.startsWith('#')) return line;
    const [, count, extension] = /^seg-(\d{6,9})\.(ts|m4s)$/.exec(line) ?? [];
    if (count === undefined || extension === undefined)
      throw new ProcessingError('source', 'the playlist names a file that is not part of it');
    const name = { count: Number(count), extension };
    names.push(name);
    return addressOf(name);
  });
  const first = lines.findIndex((line) => line.startsWith('#EXTINF:'));
  if (plan.hlsKey !== undefined && first >= 0) lines.splice(first, 0, keyLine(plan));
  return { playlist: lines.join('\n'), names };
}
