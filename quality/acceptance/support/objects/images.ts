/** Images by URL: what to ask for, what came back, and the calls on styles. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type AccessKeyPair, signDownloadUrl } from '@millpond/protocol';
import { hashing } from '@millpond/testing';
import { expect } from 'vitest';
import { type RawResponse, rawFetch } from '../raw.ts';
import { secureSigned } from '../running/secure.ts';
import type { Signer } from '../signing.ts';
import { target } from '../target.ts';
import { probed } from './processing.ts';

const run = promisify(execFile);

/** Asks for an object with this query, which may be none. */
export function ask(
  path: string,
  query = '',
  options: { method?: string; headers?: readonly (readonly [string, string])[] } = {},
): Promise<RawResponse> {
  return rawFetch({ target: query === '' ? path : `${path}?${query}`, ...options });
}

/** The raw target of the URL as the owner signs it. */
export function signedTarget(path: string, keys: AccessKeyPair = target.account): string {
  const deadline = Math.floor(Date.now() / 1000) + 3600;
  return signDownloadUrl(hashing, keys, target.url + path, deadline).slice(target.url.length);
}

/** Width, height and kind of what was answered, by decoding it. */
export async function decoded(answer: RawResponse): Promise<{ size: string; codec: string | undefined }> {
  expect(answer.status, answer.status === 200 ? '' : answer.text()).toBe(200);
  const [stream] = (await probed(answer.body)).streams;
  return { size: `${stream?.width}x${stream?.height}`, codec: stream?.codec_name };
}

/** The colour of one pixel, as `rrggbb`. */
export async function colorAt(bytes: Uint8Array, x: number, y: number): Promise<string> {
  const filter = `crop=1:1:${x}:${y}:exact=1`;
  const args = ['-v', 'error', '-i', '-', '-vf', `format=rgb24,${filter}`, '-f', 'rawvideo', '-'];
  const child = run('ffmpeg', args, { encoding: 'buffer' });
  child.child.stdin?.end(bytes);
  return (await child).stdout.toString('hex');
}

export interface Pixels {
  /** `<width>x<height>`. */
  readonly size: string;
  /** The colour of a pixel, as `rrggbb`. */
  at(x: number, y: number): string;
  /** Whether any pixel of these columns has this colour. */
  has(color: string, fromX: number, toX: number): boolean;
}

/** An image, or the first frame of a video, decoded. */
export async function pixelsOf(bytes: Uint8Array): Promise<Pixels> {
  const args = ['-v', 'error', '-i', '-', '-frames:v', '1', '-f', 'image2pipe', '-c:v', 'ppm', '-'];
  const child = run('ffmpeg', args, { encoding: 'buffer', maxBuffer: 64 * 1024 * 1024 });
  // It has enough after the first frame.
  child.child.stdin?.on('error', () => undefined).end(bytes);
  const { stdout } = await child;
  const [head = '', width = '', height = ''] =
    /^P6\s(\d+)\s(\d+)\s255\s/.exec(stdout.toString('latin1', 0, 40)) ?? [];
  const at = (x: number, y: number) => {
    const from = head.length + 3 * (y * Number(width) + x);
    return stdout.toString('hex', from, from + 3);
  };
  const columns = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => from + n);
  return {
    size: `${width}x${height}`,
    at,
    has: (color, from, to) =>
      columns(from, to).some((x) => columns(0, Number(height)).some((y) => at(x, y) === color)),
  };
}

type Who = Omit<Signer, 'url'>;

/** A call on the styles of a bucket; `body` is sent as JSON. */
export function styleCall(
  method: 'GET' | 'PUT' | 'DELETE',
  bucket: string,
  name?: string,
  body?: object,
  who?: Who,
): Promise<RawResponse> {
  const path = `/v1/buckets/${bucket}/styles${name === undefined ? '' : `/${name}`}`;
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  return secureSigned({ method, target: path, contentType: 'application/json', ...sent }, who);
}

export async function setStyles(bucket: string, rules: object): Promise<void> {
  const answer = await styleCall('PUT', bucket, undefined, rules);
  expect(answer.status, answer.text()).toBe(200);
}

export async function putStyle(bucket: string, name: string, command: string): Promise<void> {
  const answer = await styleCall('PUT', bucket, name, { command });
  expect(answer.status, answer.text()).toBe(200);
}
