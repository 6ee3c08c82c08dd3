/** For the tests of this folder: a sandbox, an engine, media made by ffmpeg, and commands run as they are written. */
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Plan, parseCommand } from '@millpond/protocol';
import { contentOf, type TestSource } from '../inspect/inspect.testing.ts';
import { openSandbox, type Sandbox } from '../sandbox/index.ts';
import { temporaryRoot } from '../sandbox/sandbox.testing.ts';
import { type MediaEngine, type MediaEngineOptions, openMediaEngine } from './engine.ts';
import { ProcessingError } from './failure.ts';
import type { MediaJob } from './types.ts';

export interface MediaResult {
  readonly bytes: Buffer;
  readonly mimeType: string;
  readonly parts: readonly { readonly count: number; readonly bytes: Buffer; readonly mimeType: string }[];
  readonly warnings: readonly string[];
}

export interface Probed {
  readonly streams: readonly Readonly<Record<string, unknown>>[];
  readonly format: Readonly<Record<string, unknown>>;
  readonly video: Readonly<Record<string, unknown>>;
  readonly audio: Readonly<Record<string, unknown>>;
  readonly duration: number;
}

export interface MediaBench {
  readonly root: string;
  readonly sandbox: Sandbox;
  readonly engine: MediaEngine;
  /** What ffmpeg writes with these arguments into a file of this name. */
  make(name: string, args: readonly string[]): Buffer;
  /** The path of a file with these bytes, outside the sandbox. */
  file(bytes: Uint8Array, name?: string): string;
  run(
    command: string | Plan,
    sources: readonly (Buffer | TestSource)[],
    more?: Partial<MediaJob>,
  ): Promise<MediaResult>;
  /** The failure of a command that gives no result. */
  failure(
    command: string | Plan,
    sources: readonly (Buffer | TestSource)[],
    more?: Partial<MediaJob>,
  ): Promise<ProcessingError>;
  /** By the ffprobe of the machine, outside the sandbox: our own files only. */
  probe(bytes: Buffer, name?: string): Probed;
  /** An MP4 that says that it is to be shown turned clockwise. Its frames stay as they are. */
  turned(bytes: Buffer, degrees: 90 | 180 | 270): Buffer;
  /** Frames of the video as plain pixels, red, green and blue, in this size. */
  pixels(bytes: Buffer, size: string, more?: readonly string[]): Buffer;
  /** The times of key frames in seconds. */
  keyFrames(bytes: Buffer): number[];
  /** Decoded audio as 16-bit PCM. */
  samples(bytes: Buffer): number[];
  close(): Promise<void>;
}

export async function openMediaBench(
  options: Partial<MediaEngineOptions> = {},
  root = temporaryRoot(),
  open: (options: { readonly root: string }) => Promise<Sandbox> = openSandbox,
): Promise<MediaBench> {
  const sandbox = await open({ root });
  const engine = openMediaEngine({ sandbox, threads: 1, imageProcesses: 1, ...options });
  let files = 0;

  function ffmpeg(args: readonly string[], file: string): Buffer {
    execFileSync('/usr/bin/ffmpeg', ['-v', 'error', '-y', ...args, file]);
    return readFileSync(file);
  }
  function keep(bytes: Uint8Array, name: string): string {
    const file = path.join(root, `${++files}-${name}`);
    writeFileSync(file, bytes);
    return file;
  }
  async function run(...[command, sources, more]: Parameters<MediaBench['run']>): Promise<MediaResult> {
    const plan = typeof command === 'string' ? parseCommand(command) : command;
    const inputs = sources.map((source) => (Buffer.isBuffer(source) ? contentOf(source) : source));
    const job = { plan, sources: inputs, signal: new AbortController().signal, ...more };
    return engine.run(job, async ({ main, parts, warnings }) => ({
      bytes: readFileSync(main.path),
      mimeType: main.mimeType,
      warnings,
      parts: parts.map(({ count, path: file, mimeType }) => ({ count, mimeType, bytes: readFileSync(file) })),
    }));
  }

  return {
    root,
    sandbox,
    engine,
    make: (name, args) => ffmpeg(args, path.join(root, name)),
    file: (bytes, name = 'x') => keep(bytes, name),
    run,
    async failure(command, sources, more) {
      const outcome = await run(command, sources, more).catch((error: unknown) => error);
      if (outcome instanceof ProcessingError) return outcome;
      throw outcome instanceof Error ? outcome : new Error('there was a result');
    },
    probe(bytes, name = 'x') {
      const args = ['-v', 'error', '-show_streams', '-show_format', '-of', 'json', keep(bytes, name)];
      const { streams, format } = JSON.parse(execFileSync('/usr/bin/ffprobe', args).toString()) as Probed;
      const ofType = (type: string) => streams.find((stream) => stream.codec_type === type) ?? {};
      return {
        streams,
        format,
        video: ofType('video'),
        audio: ofType('audio'),
        duration: Number(format.duration),
      };
    },
    turned: withMatrix,
    pixels(bytes, size, more = []) {
      const args = [
        '-v',
        'error',
        '-i',
        keep(bytes, 'x'),
        ...more,
        '-s',
        size,
        '-pix_fmt',
        'rgb24',
        '-f',
        'rawvideo',
        '-',
      ];
      return execFileSync('/usr/bin/ffmpeg', args, { maxBuffer: 256 * 1024 * 1024 });
    },
    keyFrames(bytes) {
      const args = [
        '-v',
        'error',
        '-skip_frame',
        'nokey',
        '-select_streams',
        'v',
        '-show_entries',
        'frame=pts_time',
      ];
      const text = execFileSync('/usr/bin/ffprobe', [...args, '-of', 'csv=p=0', keep(bytes, 'x')]).toString();
      return text
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => Number.parseFloat(line));
    },
    samples(bytes) {
      const args = ['-v', 'error', '-i', keep(bytes, 'x'), '-f', 's16le', '-ac', '1', '-'];
      const raw = execFileSync('/usr/bin/ffmpeg', args, { maxBuffer: 256 * 1024 * 1024 });
      return Array.from({ length: raw.length >> 1 }, (_, index) => raw.readInt16LE(2 * index));
    },
    async close() {
      await engine.close();
      await sandbox.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

/** A video of `seconds`, each second in a different colour, with a tone. */
const COLORS = ['red', 'lime', 'blue', 'white', 'black', 'yellow'] as const;

export function colorVideo(seconds: number, size = '160x120', rate = 10): string[] {
  const inputs = COLORS.slice(0, seconds).flatMap((color) => [
    '-f',
    'lavfi',
    '-i',
    `color=${color}:s=${size}:r=${rate}:d=1`,
  ]);
  const labels = COLORS.slice(0, seconds).map((_, index) => `[${index}:v]`);
  return [
    ...inputs,
    '-f',
    'lavfi',
    '-i',
    `sine=f=440:d=${seconds}:sample_rate=44100`,
    '-filter_complex',
    `${labels.join('')}concat=n=${labels.length}:v=1[v]`,
    '-map',
    '[v]',
    '-map',
    `${labels.length}:a`,
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-g',
    String(rate),
    '-pix_fmt',
    'yuv420p',
    '-c:a',
    'aac',
    '-b:a',
    '64k',
  ];
}

/** The name of the nearest of the video's colours. */
export function colorAt(pixels: Buffer, pixel = 0): string {
  const values: Readonly<Record<string, readonly number[]>> = {
    red: [255, 0, 0],
    lime: [0, 255, 0],
    blue: [0, 0, 255],
    white: [255, 255, 255],
    black: [0, 0, 0],
    yellow: [255, 255, 0],
  };
  const seen = [0, 1, 2].map((channel) => pixels[pixel * 3 + channel] ?? 0);
  const distance = (name: string): number =>
    (values[name] ?? []).reduce((sum, value, channel) => sum + Math.abs(value - (seen[channel] ?? 0)), 0);
  const nearest = Object.keys(values).toSorted((one, other) => distance(one) - distance(other))[0] ?? '';
  return distance(nearest) < 90 ? nearest : `rgb(${seen.join(',')})`;
}

/** By the matrix of the first track's header: each version of ffmpeg has options of its own to write it. */
function withMatrix(bytes: Buffer, degrees: number): Buffer {
  const header = bytes.indexOf('tkhd') + 'tkhd'.length;
  const isLong = bytes[header] === 1;
  const at = header + (isLong ? 52 : 40);
  const [cos, sin] = [Math.cos, Math.sin].map((f) => Math.round(f((degrees * Math.PI) / 180)) * 0x10000);
  const changed = Buffer.from(bytes);
  [cos, sin, 0, -(sin ?? 0), cos].forEach((value, index) => {
    changed.writeInt32BE(value ?? 0, at + 4 * index);
  });
  return changed;
}
