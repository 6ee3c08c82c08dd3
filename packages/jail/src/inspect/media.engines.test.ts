// @module-tag sandbox
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SandboxUnavailableError } from '../sandbox/index.ts';
import { eventually } from '../sandbox/sandbox.testing.ts';
import { contentOf, openBench, silent, type TestBench } from './inspect.testing.ts';
import { type Inspector, openInspector } from './inspector.ts';

let bench: TestBench;
let inspector: Inspector;
let video: Buffer;

beforeAll(async () => {
  bench = await openBench();
  inspector = await bench.open();
  video = bench.make('video.mp4', [
    '-f',
    'lavfi',
    '-i',
    'testsrc2=s=320x180:r=25:d=4',
    '-f',
    'lavfi',
    '-i',
    'sine=d=4:sample_rate=44100',
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-c:a',
    'aac',
    '-shortest',
  ]);
});
afterAll(() => bench.close());

test('a video has audio, video and format; no path of ours is in it', async () => {
  const seen = await inspector.inspectMedia(contentOf(video));
  expect(seen?.variable).toMatchObject({
    video: { codec_type: 'video', codec_name: 'h264', width: 320, height: 180, duration: '4.000000' },
    audio: { codec_type: 'audio', codec_name: 'aac', sample_rate: '44100' },
    format: { nb_streams: 2, format_name: 'mov,mp4,m4a,3gp,3g2,mj2', size: String(video.length) },
  });
  expect(seen?.avinfo.streams).toHaveLength(2);
  expect(JSON.stringify(seen)).not.toContain('/job');
});

test('a song has no video, even with an image as its cover', async () => {
  const cover = ['-f', 'lavfi', '-i', 'color=red:s=64x64:d=1'];
  const song = bench.make('song.mp3', [
    '-f',
    'lavfi',
    '-i',
    'sine=d=1',
    ...cover,
    '-map',
    '0:a',
    '-map',
    '1:v',
    '-frames:v',
    '1',
    '-c:v',
    'mjpeg',
    '-disposition:v',
    'attached_pic',
    '-id3v2_version',
    '3',
    '-metadata',
    'title=Mühle',
  ]);
  const seen = await inspector.inspectMedia(contentOf(song));
  expect(seen?.variable.audio).toMatchObject({ codec_name: 'mp3' });
  expect(seen?.variable.video).toBeUndefined();
  expect(seen?.variable.format).toMatchObject({ format_name: 'mp3', tags: { title: 'Mühle' } });
  expect(seen?.avinfo.streams).toHaveLength(2);
});

test('of a large video only head, tail and index are read, and all is told the same', async () => {
  const whole = await inspector.inspectMedia(contentOf(video));
  const thrifty = await bench.open({
    mediaReads: { wholeBytes: 1000, headBytes: 60_000, tailBytes: 1000, indexBytes: 100_000 },
  });
  const content = contentOf(video);
  const seen = await thrifty.inspectMedia(content);
  expect(seen).toEqual(whole);
  expect(content.bytesRead()).toBeLessThan(video.length / 2);

  const mean = await bench.open({
    mediaReads: { wholeBytes: 1000, headBytes: 60_000, tailBytes: 100, indexBytes: 100 },
  });
  expect(await mean.inspectMedia(contentOf(video))).toBeUndefined();
});

test('what is no media file is undefined; nothing is left behind', async () => {
  const image = bench.make('image.png', ['-f', 'lavfi', '-i', 'testsrc2=s=64x64', '-frames:v', '1']);
  for (const content of [
    Buffer.from('plain text'),
    image,
    video.subarray(0, 1000),
    Buffer.alloc(5000),
    Buffer.alloc(0),
  ])
    expect(await inspector.inspectMedia(contentOf(content))).toBeUndefined();
  expect(await eventually(() => bench.jobs().length === 0)).toBe(true);
});

test('a source that breaks off or hangs is undefined in time', async () => {
  const hasty = await bench.open({ deadlineMs: 700 });
  const broken = { size: 10, read: () => Promise.reject(new Error('the engine is gone')) };
  expect(await hasty.inspectMedia(broken)).toBeUndefined();
  const hanging = {
    size: 10,
    read: (_range: unknown, _sink: unknown, signal: AbortSignal) =>
      new Promise<void>((_, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason as Error)),
      ),
  };
  expect(await hasty.inspectMedia(hanging)).toBeUndefined();
});

test('without a sandbox all variables are off, with the reason, and nothing is read', async () => {
  const sandbox = new SandboxUnavailableError([{ problem: 'no bwrap', remedy: 'install it' }]);
  const blind = await openInspector({ sandbox, log: silent });
  expect(blind.off.map(({ variable }) => variable)).toEqual(['imageInfo', 'exif', 'imageAve', 'avinfo']);
  expect(blind.off[0]?.reason).toBe('no sandbox: no bwrap (install it)');
  const content = contentOf(video);
  expect(await blind.inspectMedia(content)).toBeUndefined();
  expect(await blind.inspectImage(content)).toBeUndefined();
  expect(content.bytesRead()).toBe(0);
});

test('without ffprobe only avinfo is off', async () => {
  const half = await bench.open({ ffprobe: '/usr/bin/no-such-ffprobe' });
  expect(half.off).toEqual([
    {
      variable: 'avinfo',
      reason: '/usr/bin/no-such-ffprobe does not run in the sandbox (apt-get install ffmpeg)',
    },
  ]);
  expect(await half.inspectMedia(contentOf(video))).toBeUndefined();
});
