/** What a player would see and hear of a result: by ffmpeg and ffprobe of the machine, and by sharp. */
import { execFileSync, spawnSync } from 'node:child_process';
import sharp from 'sharp';
import type { MediaBench } from '../media.testing.ts';
import { BARS } from './source-makers.ts';

const MAX_BYTES = 256 * 1024 * 1024;

export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  readonly data: Buffer;
}

/** A frame as players show it: by its tags, or if it has none, by its height. */
export function frameOf(bench: MediaBench, bytes: Uint8Array, nth = 0): Pixels {
  const file = bench.file(bytes);
  const { video } = bench.probe(Buffer.from(bytes));
  const width = Number(video.width);
  const height = Number(video.height);
  const said = { bt709: 'bt709', smpte170m: 'bt601', bt470bg: 'bt601', bt2020nc: 'bt2020' }[
    String(video.color_space)
  ];
  const matrix = said ?? (height >= 720 ? 'bt709' : 'bt601');
  const filter = `select=gte(n\\,${nth}),scale=in_color_matrix=${matrix}:flags=accurate_rnd+full_chroma_int`;
  const args = ['-v', 'error', '-noautorotate', '-i', file, '-vf', filter, '-frames:v', '1'];
  const data = execFileSync('/usr/bin/ffmpeg', [...args, '-pix_fmt', 'rgb24', '-f', 'rawvideo', '-'], {
    maxBuffer: MAX_BYTES,
  });
  return { width, height, channels: 3, data };
}

export async function imageOf(bytes: Buffer): Promise<Pixels> {
  const { data, info } = await sharp(bytes).toColourspace('srgb').raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, channels: info.channels, data };
}

export function pixelAt({ width, channels, data }: Pixels, x: number, y: number): readonly number[] {
  const at = (y * width + x) * channels;
  return [...data.subarray(at, at + channels)];
}

/** The mean colour in the middle of each of the seven bars. */
export function barsIn(pixels: Pixels): readonly (readonly number[])[] {
  return BARS.map((_, bar) => {
    const centre = Math.floor(((bar + 0.5) * pixels.width) / BARS.length);
    const around = [-3, 0, 3].flatMap((dx) =>
      [-8, 0, 8].map((dy) => pixelAt(pixels, centre + dx, Math.floor(pixels.height / 2) + dy)),
    );
    return [0, 1, 2].map((channel) =>
      Math.round(around.reduce((sum, pixel) => sum + (pixel[channel] ?? 0), 0) / around.length),
    );
  });
}

/** The largest difference of any channel of any bar. */
export function worstBar(
  seen: readonly (readonly number[])[],
  expected: readonly (readonly number[])[],
): number {
  return Math.max(
    ...seen.flatMap((bar, at) =>
      bar.map((value, channel) => Math.abs(value - (expected[at]?.[channel] ?? 0))),
    ),
  );
}

/** How much neighbouring lines differ beyond lines of the same field: 1 without combs, more with them. */
export function combing({ width, height, channels, data }: Pixels): number {
  const apart = (lines: number): number => {
    let sum = 0;
    for (let y = 0; y + 2 < height; y++)
      for (let x = 0; x < width; x++) {
        const at = (y * width + x) * channels;
        sum += Math.abs((data[at] ?? 0) - (data[at + lines * width * channels] ?? 0));
      }
    return sum / (width * height);
  };
  return (1 + apart(1)) / (1 + apart(2));
}

export interface Loudness {
  readonly integrated: number;
  readonly peak: number;
}

export function loudnessOf(bench: MediaBench, bytes: Uint8Array): Loudness {
  const args = ['-hide_banner', '-nostats', '-i', bench.file(bytes), '-map', '0:a:0'];
  const { stderr } = spawnSync('/usr/bin/ffmpeg', [...args, '-af', 'ebur128=peak=true', '-f', 'null', '-'], {
    maxBuffer: MAX_BYTES,
  });
  const text = stderr.toString();
  const summary = text.slice(text.lastIndexOf('Summary:'));
  return {
    integrated: Number(/I:\s+(-?[\d.]+) LUFS/.exec(summary)?.[1]),
    peak: Number(/Peak:\s+(-?[\d.]+) dBFS/.exec(summary)?.[1]),
  };
}

/** When a player would first hear something: samples are laid out by their times. */
export function heardFrom(bench: MediaBench, bytes: Uint8Array): number {
  const { video } = bench.probe(Buffer.from(bytes));
  const start = Number(video.start_time ?? 0);
  const args = [
    '-v',
    'info',
    '-hide_banner',
    '-nostats',
    '-copyts',
    '-i',
    bench.file(bytes),
    '-map',
    '0:a:0',
  ];
  const { stderr } = spawnSync('/usr/bin/ffmpeg', [
    ...args,
    '-af',
    'astats=metadata=1:reset=1,ametadata=print',
    '-f',
    'null',
    '-',
  ]);
  let at = Number.NaN;
  for (const line of stderr.toString().split('\n')) {
    const time = /pts_time:(-?[\d.]+)/.exec(line)?.[1];
    if (time !== undefined) at = Number(time);
    const peak = /Overall\.Peak_level=(-?[\d.]+)/.exec(line)?.[1];
    if (peak !== undefined && Number(peak) > -40) return at - start;
  }
  return Number.NaN;
}

export function videoPackets(bench: MediaBench, bytes: Uint8Array): number {
  const args = ['-v', 'error', '-select_streams', 'V:0', '-count_packets', '-show_entries'];
  return Number(
    execFileSync('/usr/bin/ffprobe', [...args, 'stream=nb_read_packets', '-of', 'csv=p=0', bench.file(bytes)])
      .toString()
      .trim()
      .split('\n')[0],
  );
}

/** The rotation of a video's matrix, clockwise. */
export function rotationOf(bench: MediaBench, bytes: Buffer): number {
  const sideData = bench.probe(bytes).video.side_data_list;
  const list = Array.isArray(sideData) ? (sideData as { rotation?: number }[]) : [];
  const said = list.find(({ rotation }) => rotation !== undefined)?.rotation ?? 0;
  return (360 - said) % 360;
}

/** The opacity of a VP9 frame at a point, from 0 to 255. */
export function opacityAt(bench: MediaBench, bytes: Uint8Array, x: number, y: number): number {
  const { video } = bench.probe(Buffer.from(bytes));
  const args = ['-v', 'error', '-c:v', 'libvpx-vp9', '-i', bench.file(bytes), '-frames:v', '1'];
  const data = execFileSync('/usr/bin/ffmpeg', [...args, '-pix_fmt', 'rgba', '-f', 'rawvideo', '-'], {
    maxBuffer: MAX_BYTES,
  });
  return data[(y * Number(video.width) + x) * 4 + 3] ?? 0;
}

/** What the first frame of an HDR video says of how it was mastered: red, the highest luminance, the highest light level. */
export function masteringOf(bench: MediaBench, bytes: Uint8Array): string {
  const args = [
    '-v',
    'error',
    '-select_streams',
    'v',
    '-read_intervals',
    '%+#1',
    '-show_frames',
    '-of',
    'json',
  ];
  const { frames } = JSON.parse(
    execFileSync('/usr/bin/ffprobe', [...args, bench.file(bytes)]).toString(),
  ) as {
    frames: { side_data_list?: Record<string, unknown>[] }[];
  };
  const said = Object.assign({}, ...(frames[0]?.side_data_list ?? [])) as Record<string, unknown>;
  return [said.red_x, said.max_luminance, said.max_content].join(', ');
}
