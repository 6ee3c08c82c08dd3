/** Single-colour videos: anyone who looks at their output sees which video it came from. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** An RTMP message, as it is in a video. */
export interface Frame {
  /** 8 sound, 9 video. */
  readonly type: number;
  /** Milliseconds. */
  readonly time: number;
  readonly payload: Buffer;
}

export type Colour = 'red' | 'blue';

const FLV_HEAD = 13;
const TAG_HEAD = 11;
const TAG_END = 4;
const DATA = 18;

/** FLV, ten frames per second, a key frame every half second. */
export async function makeVideo(file: string, colour: Colour, seconds: number): Promise<void> {
  await run('ffmpeg', [
    '-v',
    'error',
    '-y',
    '-f',
    'lavfi',
    '-i',
    `color=c=${colour}:s=160x120:r=10:d=${seconds}`,
    '-f',
    'lavfi',
    '-i',
    `sine=d=${seconds}`,
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-g',
    '5',
    '-pix_fmt',
    'yuv420p',
    '-c:a',
    'aac',
    '-f',
    'flv',
    file,
  ]);
}

/** What a publisher sends of a video. */
export async function framesOf(file: string): Promise<Frame[]> {
  const bytes = await readFile(file);
  const frames: Frame[] = [];
  for (let at = FLV_HEAD; at + TAG_HEAD <= bytes.length; ) {
    const length = bytes.readUIntBE(at + 1, 3);
    const payload = bytes.subarray(at + TAG_HEAD, at + TAG_HEAD + length);
    frames.push({ type: bytes.readUInt8(at), time: bytes.readUIntBE(at + 4, 3), payload });
    at += TAG_HEAD + length + TAG_END;
  }
  return frames.filter(({ type }) => type !== DATA);
}

/** The colours of all frames of a video, or of one image, by file or address, each once. */
export async function coloursOf(input: string): Promise<Set<Colour | 'other'>> {
  const args = ['-v', 'error', '-i', input, '-vf', 'scale=1:1', '-f', 'rawvideo', '-pix_fmt', 'rgb24', '-'];
  const { stdout } = await run('ffmpeg', args, { encoding: 'buffer', maxBuffer: 64 * 1024 * 1024 });
  const colours = new Set<Colour | 'other'>();
  for (let at = 0; at + 3 <= stdout.length; at += 3) {
    const [red = 0, green = 0, blue = 0] = stdout.subarray(at, at + 3);
    if (red > 180 && green < 80 && blue < 80) colours.add('red');
    else if (blue > 180 && red < 80 && green < 80) colours.add('blue');
    else colours.add('other');
  }
  return colours;
}
