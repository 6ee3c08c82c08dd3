/** What one command may use. The sandbox enforces it; exceeding it fails that command. */
import type { CommandName } from '@millpond/protocol';
import { GIB, MIB } from '@millpond/protocol';
import type { JobLimits } from '../sandbox/index.ts';

export interface MediaLimits {
  readonly wallMs: number;
  readonly cpuSeconds: number;
  readonly memoryBytes: number;
  readonly fileBytes: number;
  readonly totalBytes: number;
  readonly files: number;
  /** An engine that makes no progress for this long is ended. */
  readonly stallMs: number;
}

const MINUTE = 60_000;
const GIBIBYTE = GIB;

const short: MediaLimits = {
  wallMs: 5 * MINUTE,
  cpuSeconds: 300,
  memoryBytes: 2 * GIBIBYTE,
  fileBytes: 256 * MIB,
  totalBytes: 512 * MIB,
  files: 16,
  stallMs: 2 * MINUTE,
};

const long: MediaLimits = {
  wallMs: 6 * 60 * MINUTE,
  cpuSeconds: 24 * 3600,
  memoryBytes: 4 * GIBIBYTE,
  fileBytes: 64 * GIBIBYTE,
  totalBytes: 64 * GIBIBYTE,
  files: 50_000,
  stallMs: 5 * MINUTE,
};

export const mediaLimits: Readonly<Record<CommandName, MediaLimits>> = {
  avthumb: long,
  avconcat: long,
  vsample: { ...long, files: 2000, totalBytes: 8 * GIBIBYTE },
  vframe: short,
  avinfo: short,
  imageView2: short,
  imageMogr2: short,
  watermark: short,
  imageInfo: short,
  imageAve: short,
  exif: short,
  qhash: long,
  concat: long,
  mkzip: long,
};

/** Frames are only copied, and the file is fragmented: no index of it is held. */
export const remuxLimits: MediaLimits = { ...long, memoryBytes: 512 * MIB };

export function sandboxLimits(limits: MediaLimits): JobLimits {
  const { wallMs, cpuSeconds, memoryBytes, fileBytes, totalBytes, files } = limits;
  return {
    wallMs,
    cpuSeconds,
    memoryBytes,
    fileBytes,
    totalBytes,
    files,
    processes: 256,
    stdoutBytes: 4 * MIB,
    stderrBytes: 16 * 1024,
  };
}
