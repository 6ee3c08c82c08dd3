// @module-tag sandbox
/** Commands on a machine without a sandbox, below a folder whose name would mean something to ffmpeg and to shells. */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { encodeBase64Text } from '@millpond/protocol';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openUnconfined } from '../sandbox/index.ts';
import { temporaryRoot } from '../sandbox/sandbox.testing.ts';
import { UnconfinedPermit } from '../sandbox/unconfined-permit.ts';
import { EngineMissingError } from './engine-kinds.ts';
import { colorAt, colorVideo, type MediaBench, openMediaBench } from './media.testing.ts';
import { rotationOf } from './testing/measures.ts';

let bench: MediaBench;
let video: Buffer;
beforeAll(async () => {
  const root = path.join(temporaryRoot(), `it's a [folder]: %d, 100%;\\`);
  mkdirSync(root);
  bench = await openMediaBench({}, root, (options) => openUnconfined(UnconfinedPermit.make(), options.root));
  video = bench.make('video.mp4', colorVideo(4));
});
afterAll(() => bench.close());

const text = encodeBase64Text('millpond');

test.each([
  ['avthumb/mp4/s/160x120', [], 'video/mp4'],
  ['avthumb/mp4/loudnorm/1', [], 'video/mp4'],
  [`avthumb/mp4/wmText/${text}`, [], 'video/mp4'],
  ['avconcat/1/format/mp4/aHR0cDovL3gvYQ==', [1], 'video/mp4'],
  ['avconcat/2/format/mp4/aHR0cDovL3gvYQ==', [1], 'video/mp4'],
  ['vframe/jpg/offset/1', [], 'image/jpeg'],
  ['imageInfo', [], 'application/json'],
  ['qhash/md5', [], 'application/json'],
] as const)('%s', async (command, further, mimeType) => {
  const image = await bench.run('vframe/png/offset/1', [video]);
  const source = command === 'imageInfo' ? image.bytes : video;
  const mediaResult = await bench.run(command, [source, ...further.map(() => video)]);
  expect([mediaResult.mimeType, mediaResult.bytes.length > 10]).toEqual([mimeType, true]);
});

test('an encrypted playlist with its segments, and a picture made of a frame', async () => {
  const key = encodeBase64Text('0123456789abcdef');
  const command = `avthumb/m3u8/segtime/2/hlsKey/${key}/hlsKeyUrl/${encodeBase64Text('http://pond.example/key')}`;
  const { bytes, parts } = await bench.run(command, [video]);
  expect(bytes.toString()).toContain('#EXT-X-KEY:METHOD=AES-128,URI="http://pond.example/key"');
  expect(parts.length).toBeGreaterThan(1);
  const frame = await bench.run('vframe/png/offset/1', [video]);
  const mediaResult = await bench.run('imageView2/2/w/32/format/png', [frame.bytes]);
  const [made32, frame32] = [mediaResult, frame].map(({ bytes: image }) => bench.pixels(image, '32x24'));
  expect(colorAt(made32 ?? Buffer.alloc(0), 100)).toEqual(colorAt(frame32 ?? Buffer.alloc(0), 100));
});

test('a rotated video that is copied into fragments says so in their head', async () => {
  const command = 'avthumb/m3u8/segmentType/fmp4/vcodec/copy/acodec/copy';
  const { parts } = await bench.run(command, [bench.turned(video, 90)]);
  const [head] = parts;
  expect(head?.count).toBe(-1);
  const file = Buffer.concat(parts.map(({ bytes }) => bytes));
  expect(rotationOf(bench, file)).toBe(90);
});

test('a cut source fails in a sentence', async () => {
  const whole = bench.make('whole.mkv', colorVideo(6));
  const { message } = await bench.failure('avthumb/mp4', [whole.subarray(0, whole.length / 2)]);
  expect(message).toMatch(/the source ends after [\d.]+ of 6\.\d\d s$/);
});

test('what fails says why in the engine’s words, without our folders', async () => {
  const failed = await bench.failure('avthumb/mp4', [Buffer.from('no video')]);
  expect(`${failed.message} ${failed.words}`).not.toMatch(/folder|\.\.\/|file:/);
});

test('an engine that is missing is named, and commands that need none run without it', async () => {
  const nothing = { problem: 'there is no sandbox', remedy: 'install one' };
  const plain = await openMediaBench({ missing: { images: nothing, media: nothing } });
  await expect(plain.run('avthumb/mp4', [video])).rejects.toThrow(EngineMissingError);
  await expect(plain.run('imageInfo', [video])).rejects.toThrow('there is no sandbox (install one)');
  expect((await plain.run('qhash/md5', [Buffer.from('x')])).bytes.toString()).toContain(
    '9dd4e461268c8034f5c8564e155c67a6',
  );
  await plain.close();
});
