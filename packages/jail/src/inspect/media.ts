/** Inspects a media file with ffprobe, in the sandbox, in a new process each time. */
import path from 'node:path';
import { FairSemaphore } from '@millpond/base';
import type { ContentSource } from '@millpond/blobs';
import { probeLimits, type Sandbox } from '../sandbox/index.ts';
import { type MediaInspection, readAvinfo } from './avinfo.ts';
import { copyProbeRanges, type MediaReadLimits } from './probe-file.ts';

/**
 * Containers that hold their own content. Excluded are those that name other files or addresses (hls, dash, concat, sdp,
 * image2, …), images, and raw streams without a detectable end.
 */
export const CONTAINERS: readonly string[] = [
  'mov',
  'mp4',
  'm4a',
  '3gp',
  '3g2',
  'mj2',
  'matroska',
  'webm',
  'avi',
  'flv',
  'asf',
  'rm',
  'mxf',
  'dv',
  'mpeg',
  'mpegts',
  'mpegvideo',
  'm4v',
  'h264',
  'hevc',
  'ivf',
  'ogg',
  'mp3',
  'aac',
  'ac3',
  'eac3',
  'dts',
  'flac',
  'wav',
  'w64',
  'aiff',
  'au',
  'caf',
  'amr',
  'amrnb',
  'amrwb',
  'ape',
  'wv',
  'tta',
  'swf',
  'nut',
];

const STREAMS_AND_FORMAT = ['-show_streams', '-show_format', '-of', 'json'];

/** ffprobe's arguments for one file of these kinds. */
export function probeArguments(
  containers: readonly string[],
  file: string,
  options: readonly string[] = STREAMS_AND_FORMAT,
): string[] {
  return [
    '-hide_banner',
    '-v',
    'error',
    '-protocol_whitelist',
    'file,pipe',
    '-format_whitelist',
    containers.join(','),
    '-max_pixels',
    '150000000',
    '-threads',
    '1',
    ...options,
    '-i',
    `file:${file}`,
  ];
}

export interface MediaProberOptions {
  readonly sandbox: Sandbox;
  readonly ffprobe: string;
  readonly concurrency: number;
  readonly waiting: number;
  readonly reads: MediaReadLimits;
}

export interface MediaProber {
  /** undefined: not a media file, or no answer before the signal was cancelled. Rejects with TooManyWaitersError if there is no room. */
  inspect(source: ContentSource, signal: AbortSignal, tenant?: bigint): Promise<MediaInspection | undefined>;
}

export function createMediaProber({ sandbox, ffprobe, ...options }: MediaProberOptions): MediaProber {
  const { concurrency, waiting } = options;
  const gate = new FairSemaphore<bigint | undefined>({
    slots: concurrency,
    slotsEach: Math.max(1, concurrency - 1),
    waiting,
  });

  async function probe(jobDir: string, source: ContentSource, signal: AbortSignal) {
    if (!(await copyProbeRanges(source, path.join(jobDir, 'in'), options.reads, signal))) return undefined;
    const args = probeArguments(CONTAINERS, 'in');
    const result = await sandbox.run({ program: ffprobe, args, jobDir, limits: probeLimits, signal });
    if (result.outcome !== 'exited' || result.code !== 0) return undefined;
    return readAvinfo(result.stdout.toString('utf8'));
  }

  return {
    async inspect(source, signal, tenant) {
      if (source.size === 0) return undefined;
      const leave = await gate.enter(tenant, signal);
      try {
        return await sandbox.withJob((jobDir) => probe(jobDir, source, signal));
      } finally {
        leave();
      }
    },
  };
}
