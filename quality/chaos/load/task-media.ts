/** Videos to work on, and whether the result can be played to its end. */
import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const FFMPEG = '/usr/bin/ffmpeg';

export function makeVideo(seconds: number): Buffer<ArrayBuffer> {
  const folder = mkdtempSync(path.join(tmpdir(), 'millpond-chaos-'));
  try {
    const file = path.join(folder, 'video.mp4');
    execFileSync(FFMPEG, [
      '-v',
      'error',
      '-f',
      'lavfi',
      '-i',
      `testsrc2=size=320x180:rate=10:duration=${seconds}`,
      '-f',
      'lavfi',
      '-i',
      `sine=duration=${seconds}`,
      '-c:v',
      'libx264',
      '-preset',
      'ultrafast',
      '-g',
      '20',
      '-pix_fmt',
      'yuv420p',
      '-c:a',
      'aac',
      '-movflags',
      '+faststart',
      file,
    ]);
    return readFileSync(file);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The same video with a box at its end that players skip: it takes a while to arrive. */
export function padded(video: Buffer, bytes: number): Buffer<ArrayBuffer> {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(bytes);
  head.write('free', 4, 'latin1');
  return Buffer.concat([video, head, Buffer.alloc(bytes - 8)]);
}

/** Seconds of sound and video, by decoding all of it; throws if that is not possible. */
export async function playedSeconds(video: Buffer): Promise<number> {
  const args = ['-v', 'error', '-xerror', '-i', '-', '-f', 'null', '-progress', 'pipe:1', '-'];
  const child = run(FFMPEG, args);
  child.child.stdin?.on('error', () => undefined).end(video);
  const { stdout } = await child;
  const times = [...stdout.matchAll(/^out_time_us=(\d+)$/gm)].map(([, time]) => Number(time));
  return Math.max(0, ...times) / 1e6;
}
