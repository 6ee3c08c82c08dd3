/** Tasks over HTTPS: submit, ask, wait for the end; and short media to work on. */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { formatEntry } from '@millpond/protocol';
import type { RawResponse } from '../raw.ts';
import { type Secure, secureSend, secureSigned } from '../running/secure.ts';
import type { Signer } from '../signing.ts';
import { target, upload } from '../target.ts';

const run = promisify(execFile);

export interface Item {
  readonly cmd: string;
  readonly code: number;
  readonly desc: string;
  readonly error: string;
  readonly errorIndex?: string;
  readonly hash?: string;
  readonly key?: string;
  readonly keys?: string[];
  readonly returnOld: number;
  readonly warnings?: readonly string[];
}

export interface Task {
  readonly id: string;
  readonly code: number;
  readonly desc: string;
  readonly pipeline: string;
  readonly reqid: string;
  readonly inputBucket: string;
  readonly inputKey: string;
  readonly creationDate: string;
  readonly type?: number;
  readonly taskFrom?: string;
  readonly items: readonly Item[];
}

type Who = Omit<Signer, 'url'> & { readonly at?: Secure };

export function pfop(fields: Readonly<Record<string, string>>, who?: Who): Promise<RawResponse> {
  return secureSigned({ target: '/pfop/', body: new URLSearchParams(fields).toString() }, who);
}

/** Submits what must be accepted, and gives the task's id. */
export async function submitted(fields: Readonly<Record<string, string>>, who?: Who): Promise<string> {
  return idIn(await pfop(fields, who));
}

export function idIn(answer: RawResponse): string {
  const { persistentId } = answer.json() as { persistentId?: unknown };
  if (answer.status !== 200 || typeof persistentId !== 'string')
    throw new Error(`no task: ${answer.status} ${answer.text()}`);
  return persistentId;
}

export function prefop(id: string, at: Secure = target.secure): Promise<RawResponse> {
  return secureSend(
    { method: 'GET', target: `/status/get/prefop?id=${encodeURIComponent(id)}`, contentType: null },
    undefined,
    at,
  );
}

export async function taskOf(id: string, at?: Secure): Promise<Task> {
  const answer = await prefop(id, at);
  if (answer.status !== 200) throw new Error(`task ${id}: ${answer.status} ${answer.text()}`);
  return answer.json() as Task;
}

/** The task when it has ended, which on a busy machine may take a while. */
export async function ended(id: string, at?: Secure): Promise<Task> {
  for (const end = Date.now() + 100_000; ; await sleep(100)) {
    const task = await taskOf(id, at);
    if (task.code === 0 || task.code === 3) return task;
    if (Date.now() > end) throw new Error(`task ${id} has not ended: ${JSON.stringify(task)}`);
  }
}

/** Submits and waits; the only item must have succeeded. */
export async function processed(fields: Readonly<Record<string, string>>): Promise<Item & { key: string }> {
  const task = await ended(await submitted(fields));
  const [item, ...more] = task.items;
  if (item?.key === undefined || item.code !== 0 || more.length > 0)
    throw new Error(`not one result: ${JSON.stringify(task)}`);
  return { ...item, key: item.key };
}

export const saveas = (bucket: string, key: string) => `saveas/${formatEntry(bucket, key)}`;

/** Stores content under a key of the main account's bucket. */
export async function put(bucket: string, key: string, content: Uint8Array<ArrayBuffer>): Promise<void> {
  const answer = await upload({ scope: `${bucket}:${key}` }, content, { key });
  if (!answer.ok) throw new Error(`storing ${key}: ${answer.status} ${await answer.text()}`);
}

/** A clip with video and a tone, small enough to be worked on in a second. */
export function clip(
  options: { seconds?: number; size?: string; rate?: number } = {},
): Promise<Buffer<ArrayBuffer>> {
  const { seconds = 2, size = '320x180', rate = 10 } = options;
  return made('mp4', [
    '-f',
    'lavfi',
    '-i',
    `testsrc2=size=${size}:rate=${rate}:duration=${seconds}`,
    '-f',
    'lavfi',
    '-i',
    `sine=frequency=440:duration=${seconds}`,
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-pix_fmt',
    'yuv420p',
    '-c:a',
    'aac',
    '-movflags',
    '+faststart',
  ]);
}

/** The same as one segment of HLS. */
export function segment(): Promise<Buffer<ArrayBuffer>> {
  return made('ts', [
    '-f',
    'lavfi',
    '-i',
    'testsrc2=size=320x180:rate=10:duration=2',
    '-f',
    'lavfi',
    '-i',
    'sine=frequency=440:duration=2',
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-pix_fmt',
    'yuv420p',
    '-c:a',
    'aac',
  ]);
}

export function sound(): Promise<Buffer<ArrayBuffer>> {
  return made('mp3', ['-f', 'lavfi', '-i', 'sine=frequency=440:duration=2']);
}

/** A video with a tone that shows each colour for a second. */
export function video(colors: readonly string[], size = '320x180'): Promise<Buffer<ArrayBuffer>> {
  const videos = colors.flatMap((color) => ['-f', 'lavfi', '-i', `color=${color}:s=${size}:r=10:d=1`]);
  return made('mp4', [
    ...videos,
    '-f',
    'lavfi',
    '-i',
    `sine=frequency=440:duration=${colors.length}`,
    '-filter_complex',
    `concat=n=${colors.length}:v=1[v]`,
    '-map',
    '[v]',
    '-map',
    `${colors.length}:a`,
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-g',
    '10',
    '-pix_fmt',
    'yuv420p',
    '-c:a',
    'aac',
  ]);
}

/** The left half in one colour, the right half in another. */
export function halves(
  left: string,
  right: string,
  size = '400x300',
  format = 'png',
): Promise<Buffer<ArrayBuffer>> {
  const source = ['-f', 'lavfi', '-i', `color=${left}:s=${size}:d=1:r=1,format=rgb24`];
  const rightHalf = `drawbox=x=iw/2:y=0:w=iw/2:h=ih:color=${right}:t=fill`;
  return made(format, [...source, '-vf', rightHalf, '-frames:v', '1']);
}

export function image(size = '400x300', format = 'png'): Promise<Buffer<ArrayBuffer>> {
  return made(format, ['-f', 'lavfi', '-i', `testsrc2=size=${size}:duration=1:rate=1`, '-frames:v', '1']);
}

/** A film with two languages, a subtitle, and what phones write about where they were. */
export async function film(seconds = 2): Promise<Buffer<ArrayBuffer>> {
  const subtitle = path.join(tmpdir(), `millpond-made-${randomBytes(6).toString('hex')}.srt`);
  await writeFile(subtitle, '1\n00:00:00,100 --> 00:00:01,900\nHello\n');
  const input = `-f lavfi -i testsrc2=s=160x90:r=10:d=${seconds} -f lavfi -i sine=d=${seconds} -f lavfi -i sine=f=880:d=${seconds} -i`;
  const maps = '-map 0 -map 1 -map 2 -map 3 -metadata:s:a:0 language=eng -metadata:s:a:1 language=deu';
  const codecs =
    '-c:v libx264 -preset ultrafast -pix_fmt yuv420p -c:a aac -c:s mov_text -movflags +faststart';
  const tags = '-metadata title=Mill -metadata location=+48.8577+002.2950/';
  const args = [...input.split(' '), subtitle, ...`${maps} ${codecs} ${tags}`.split(' ')];
  try {
    return await made('mp4', args);
  } finally {
    await rm(subtitle, { force: true });
  }
}

async function made(extension: string, args: readonly string[]): Promise<Buffer<ArrayBuffer>> {
  const file = path.join(tmpdir(), `millpond-made-${randomBytes(6).toString('hex')}.${extension}`);
  try {
    await run('ffmpeg', ['-v', 'error', '-nostdin', ...args, file]);
    return (await readFile(file)) as Buffer<ArrayBuffer>;
  } finally {
    await rm(file, { force: true });
  }
}

export interface Probe {
  readonly format: {
    readonly format_name: string;
    readonly duration?: string;
    readonly tags?: Readonly<Record<string, string>>;
  };
  readonly streams: readonly {
    readonly codec_type: string;
    readonly codec_name: string;
    readonly width?: number;
    readonly height?: number;
    readonly sample_rate?: string;
    readonly channels?: number;
    readonly r_frame_rate?: string;
    readonly tags?: Readonly<Record<string, string>>;
  }[];
}

/** What ffprobe finds in bytes that were stored. */
export async function probed(bytes: Uint8Array): Promise<Probe> {
  const child = run('ffprobe', ['-v', 'error', '-of', 'json', '-show_streams', '-show_format', '-']);
  child.child.stdin?.end(bytes);
  return JSON.parse((await child).stdout) as Probe;
}
