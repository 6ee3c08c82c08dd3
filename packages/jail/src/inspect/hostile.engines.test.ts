// @module-tag sandbox
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import path from 'node:path';
import { deflateSync, gzipSync } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually, zombieChildren } from '../sandbox/sandbox.testing.ts';
import { contentOf, openBench, type TestBench } from './inspect.testing.ts';
import type { Inspector } from './inspector.ts';
import { endlessImages, hugeGif, lyingVideo, manyStreams, playlist, png, svg } from './testing-hostile.ts';

const DEADLINE_MS = 5000;
let bench: TestBench;
let inspector: Inspector;
let canary: Server;
let url: string;
let secret: string;
let hits = 0;

beforeAll(async () => {
  bench = await openBench();
  inspector = await bench.open({ deadlineMs: DEADLINE_MS });
  canary = createServer((_request, response) => {
    hits++;
    response.end(readFileSync(path.join(secret, 'secret.ts')));
  });
  await new Promise<void>((resolve) => canary.listen(0, '127.0.0.1', resolve));
  const address = canary.address();
  url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  // A real video outside: if a playlist reached it, there would be streams to tell of.
  secret = path.join(bench.root, 'secret');
  mkdirSync(secret, { mode: 0o755 });
  writeFileSync(
    path.join(secret, 'secret.ts'),
    bench.make('x.ts', ['-f', 'lavfi', '-i', 'testsrc2=s=64x64:d=1', '-c:v', 'mpeg2video']),
  );
});

afterAll(async () => {
  canary.close();
  await bench.close();
});

test.each<[string, () => string | Buffer]>([
  ['a playlist that names a URL', () => playlist(`${url}/secret.ts`)],
  ['a playlist that names a file', () => playlist(`file://${secret}/secret.ts`)],
  ['a playlist that names a neighbour', () => playlist('in')],
  ['a playlist without an end', () => playlist(`${url}/secret.ts`).replace('#EXT-X-ENDLIST\n', '')],
  [
    'a playlist with a key at a URL',
    () => `#EXTM3U\n#EXT-X-KEY:METHOD=AES-128,URI="${url}/k"\n#EXTINF:1,\n${url}/a.ts\n`,
  ],
  ['a concatenation', () => `ffconcat version 1.0\nfile '${secret}/secret.ts'\n`],
  ['a concatenation by URL', () => `ffconcat version 1.0\nfile '${url}/secret.ts'\n`],
  ['a concatenation of passwords', () => 'ffconcat version 1.0\nfile /etc/passwd\n'],
  [
    'a DASH manifest',
    () =>
      `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static"><Period><AdaptationSet><Representation id="1" bandwidth="1"><BaseURL>${url}/secret.ts</BaseURL></Representation></AdaptationSet></Period></MPD>`,
  ],
  [
    'a session description',
    () => `v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=video 9 RTP/AVP 32\n`,
  ],
  ['an image sequence', () => '%06d.png'],
  ['a lavfi graph', () => `movie=${'/etc/passwd'}`],
  ['an image in words', () => svg(`file://${secret}/secret.ts`)],
  ['an endless row of images', () => endlessImages(bench)],
  ['ten thousand streams', () => manyStreams(10_000)],
  ['a video whose index lies about its length', () => lyingVideo(bench)],
  ['zeros', () => Buffer.alloc(1_000_000)],
])('media: %s', async (_, make) => {
  expect(await inspector.inspectMedia(contentOf(Buffer.from(make())))).toBeUndefined();
  expect(hits).toBe(0);
});

test.each<[string, () => Buffer]>([
  ['a vector graphic with a file in it', () => Buffer.from(svg(`file://${secret}/secret.ts`))],
  ['a packed vector graphic', () => gzipSync(svg(`${url}/x.png`))],
  ['a png of 60,000 × 60,000', () => png(60_000, 60_000, 8, Buffer.alloc(1000))],
  ['a png of nothing', () => png(0, 0, 8, Buffer.alloc(0))],
  ['a gif of 65,535 × 65,535', () => hugeGif()],
  ['a pdf', () => Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n')],
  [
    'an image in another program’s words',
    () => Buffer.from(`push graphic-context\nimage over 0,0 0,0 '${url}/x'\n`),
  ],
  ['a head of a jpeg', () => Buffer.from([0xff, 0xd8, 0xff, 0xe1, 0xff, 0xff, 0x45, 0x78, 0x69, 0x66])],
  [
    'a tiff whose directory names itself',
    () => Buffer.from('49492a00080000000100000104000100000008000000080000000', 'hex'),
  ],
  ['zeros', () => Buffer.alloc(1_000_000)],
])('images: %s', async (_, make) => {
  expect(await inspector.inspectImage(contentOf(make()), { average: true })).toBeUndefined();
  expect(hits).toBe(0);
});

test('a small file that unpacks to 144 megapixels is told of or not, in time and within its memory', async () => {
  const bomb = png(12_000, 12_000, 1, deflateSync(Buffer.alloc((12_000 / 8 + 1) * 12_000)));
  expect(bomb.length).toBeLessThan(100_000);
  const seen = await inspector.inspectImage(contentOf(bomb), { average: true });
  if (seen !== undefined) expect(seen.imageInfo).toMatchObject({ width: 12_000, height: 12_000 });
});

test('an image process that outgrows its memory is killed, and the next image finds a new one', async () => {
  const tight = await bench.open({ concurrency: 1, imageMemoryBytes: 160 * 1024 * 1024 });
  expect(tight.off).toEqual([]);
  const pixels = { width: 8000, height: 8000, channels: 3 as const };
  const large = await sharp({ create: { ...pixels, background: '#fff' } })
    .png({ compressionLevel: 1, progressive: true })
    .toBuffer();
  const starts = bench.starts();
  const seen = await tight.inspectImage(contentOf(large), { average: true });
  expect(seen?.imageAve).toBeUndefined();
  const small = await sharp({ create: { ...pixels, width: 8, height: 8, background: '#fff' } })
    .png()
    .toBuffer();
  expect(await tight.inspectImage(contentOf(small))).toBeDefined();
  expect(bench.starts() - starts).toBe(1);
});

test('after all of it the inspector works, and nothing is left behind', async () => {
  const image = await sharp({ create: { width: 5, height: 5, channels: 3, background: '#fff' } })
    .png()
    .toBuffer();
  expect(await inspector.inspectImage(contentOf(image))).toBeDefined();
  const video = readFileSync(path.join(secret, 'secret.ts'));
  expect((await inspector.inspectMedia(contentOf(video)))?.variable.video).toMatchObject({ width: 64 });
  expect(await eventually(() => bench.jobs().length === 0)).toBe(true);
  expect(zombieChildren()).toEqual([]);
  expect(hits).toBe(0);
});
