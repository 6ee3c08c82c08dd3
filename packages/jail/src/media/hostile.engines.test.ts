// @module-tag sandbox
import { linkSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import path from 'node:path';
import { deflateSync, gzipSync } from 'node:zlib';
import { encodeBase64Text } from '@millpond/protocol';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  endlessImages,
  hugeGif,
  lyingVideo,
  manyStreams,
  playlist,
  png,
  pngChunk,
  svg,
} from '../inspect/testing-hostile.ts';
import { eventually, zombieChildren } from '../sandbox/sandbox.testing.ts';
import { ProcessingError } from './failure.ts';
import { takeOutput } from './files.ts';
import { colorVideo, type MediaBench, openMediaBench } from './media.testing.ts';

/** Tight, so that what must be stopped is stopped soon. */
const limits = {
  wallMs: 12_000,
  cpuSeconds: 4,
  fileBytes: 3_000_000,
  totalBytes: 6_000_000,
  files: 60,
  stallMs: 10_000,
};
/** A busy machine takes a while to end a process and clear up after it. */
const _GRACE_MS = 15_000;

let bench: MediaBench;
let video: Buffer;
let logo: Buffer;
let canary: Server;
let url: string;
let secret: string;
let hits = 0;

beforeAll(async () => {
  bench = await openMediaBench();
  video = bench.make('video.mp4', colorVideo(1, '64x64', 5));
  logo = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#fff' } })
    .png()
    .toBuffer();
  // A real video outside: if a playlist reached it, there would be a result.
  secret = path.join(bench.root, 'secret');
  mkdirSync(secret, { mode: 0o755 });
  writeFileSync(
    path.join(secret, 'secret.ts'),
    bench.make('s.ts', [...colorVideo(1, '64x64', 5), '-f', 'mpegts']),
  );
  canary = createServer((_request, response) => {
    hits++;
    response.end(readFileSync(path.join(secret, 'secret.ts')));
  });
  await new Promise<void>((resolve) => canary.listen(0, '127.0.0.1', resolve));
  const address = canary.address();
  url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
});

afterAll(async () => {
  canary.close();
  await bench.close();
});

const named = encodeBase64Text('http://pond.example/x');

async function outcomeOf(command: string, sources: readonly Buffer[]): Promise<unknown> {
  const outcome = await bench.run(command, sources, { limits }).catch((error: unknown) => error);
  expect(hits).toBe(0);
  return outcome;
}

/** Each would only give a result if it had read what it must not. */
const readers: readonly [string, () => string][] = [
  ['a playlist that names a URL', () => playlist(`${url}/secret.ts`)],
  ['a playlist that names a file', () => playlist(`file://${secret}/secret.ts`)],
  ['a playlist that names a path', () => playlist(`${secret}/secret.ts`)],
  ['a playlist that names itself', () => playlist('/in/0')],
  ['a playlist without an end', () => playlist(`${url}/secret.ts`).replace('#EXT-X-ENDLIST\n', '')],
  [
    'a playlist with a key at a URL',
    () => `#EXTM3U\n#EXT-X-KEY:METHOD=AES-128,URI="${url}/k"\n#EXTINF:1,\n${url}/a.ts\n`,
  ],
  ['a playlist of playlists', () => `#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n${url}/x.m3u8\n`],
  ['a playlist by concat:', () => playlist(`concat:file://${secret}/secret.ts|file://${secret}/secret.ts`)],
  ['a playlist by subfile:', () => playlist(`subfile,,start,0,end,0,,:file://${secret}/secret.ts`)],
  [
    'a playlist by data:',
    () =>
      playlist(
        `data:video/mp2t;base64,${readFileSync(path.join(secret, 'secret.ts')).toString('base64').slice(0, 4000)}`,
      ),
  ],
  ['a concatenation', () => `ffconcat version 1.0\nfile '${secret}/secret.ts'\n`],
  ['a concatenation by URL', () => `ffconcat version 1.0\nfile '${url}/secret.ts'\n`],
  ['a concatenation of a neighbour', () => "ffconcat version 1.0\nfile 'in/1'\n"],
  ['a concatenation of passwords', () => 'ffconcat version 1.0\nfile /etc/passwd\n'],
  [
    'a DASH manifest',
    () =>
      `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static"><Period><AdaptationSet><Representation id="1" bandwidth="1"><BaseURL>${url}/secret.ts</BaseURL></Representation></AdaptationSet></Period></MPD>`,
  ],
  [
    'a session description',
    () => 'v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=video 9 RTP/AVP 32\n',
  ],
  ['a lavfi graph', () => 'movie=/etc/passwd'],
  ['an image in words', () => svg(`file://${secret}/secret.ts`)],
  ['an image sequence', () => '%06d.png'],
  [
    'an HLS list in capitals of an AVI',
    () => `RIFF\u0000\u0000\u0000\u0000AVI LIST${playlist(`${url}/secret.ts`)}`,
  ],
];

describe('as the source of a video', () => {
  test.each(readers)('%s', async (_, make) => {
    expect(await outcomeOf('vframe/jpg/offset/0', [Buffer.from(make())])).toMatchObject({ reason: 'source' });
  });
});

describe('as what is laid over, joined or read along', () => {
  const chosen = readers.filter(([name]) => /names a (?:URL|path)|neighbour|image in words/.test(name));
  test.each(chosen)('%s', async (_, make) => {
    const bad = Buffer.from(make());
    for (const [command, sources] of [
      ['avthumb/mp4', [bad]],
      [`avthumb/mp4/wmImage/${named}`, [video, bad]],
      [`avthumb/mp4/wmVideo/${named}`, [video, bad]],
      [`avthumb/mp4/subtitle/${named}`, [video, bad]],
      [`avconcat/1/format/mp4/${named}`, [video, bad]],
      [`avconcat/2/format/mp4/${named}`, [bad, video]],
      [`watermark/1/image/${named}`, [logo, bad]],
    ] as const)
      expect(await outcomeOf(command, sources)).toMatchObject({ reason: 'source' });
  });

  test('a subtitle that names fonts and files', async () => {
    const script = `[Script Info]\nVideo File: ${url}/v.mp4\n[Fonts]\nfontname: ../../etc/passwd\n[Events]\nFormat: Start, End, Text\nDialogue: 0:00:00.00,0:00:09.00,{\\fn/etc/passwd}x\n`;
    const outcome = await outcomeOf(`avthumb/mp4/subtitle/${named}`, [video, Buffer.from(script)]);
    expect(outcome).not.toBeInstanceOf(TypeError);
  });
});

/** Each may give a result or fail, but in time and within its limits. */
const bombs: readonly [string, string, () => Buffer | Promise<Buffer>][] = [
  ['an endless row of images', 'avthumb/mp4', () => endlessImages(bench)],
  ['ten thousand streams', 'avthumb/mp4', () => manyStreams(10_000)],
  ['a video whose index lies about its length', 'vframe/jpg/offset/0', () => lyingVideo(bench)],
  ['two frames with ten hours between', 'avthumb/mp4/r/60', () => gap()],
  [
    'a video that claims a million frames per second',
    'avthumb/mp4',
    () => patch(video, 'mdhd', 12, 1_000_000),
  ],
  ['samples beyond the end', 'vframe/jpg/offset/0.5', () => patch(large(), 'stco', 8, 0x7ffffff0)],
  ['more samples than bytes', 'vframe/jpg/offset/0.5', () => patch(large(), 'stsz', 8, 0x00ffffff)],
  ['a table of times without end', 'vframe/jpg/offset/0.5', () => patch(large(), 'stts', 8, 0xffffffff)],
  ['data that lie elsewhere', 'vframe/jpg/offset/0', () => patch(video, 'url ', 0, 0)],
  ['VP8 of 16,383 by 16,383', 'vframe/jpg/offset/0', () => ivf()],
  ['sound of four gigabytes in 44 bytes', 'avthumb/mp3', () => wav()],
  [
    'a tag of 256 MiB in an mp3',
    'avthumb/mp3',
    () => Buffer.from('ID3\x04\x00\x00\x7f\x7f\x7f\x7f', 'latin1'),
  ],
  ['zeros as a video', 'avthumb/mp4', () => Buffer.alloc(1_000_000)],
  [
    'more images than there may be files',
    `vsample/jpg/ss/0/t/40/interval/0.04/pattern/${encodeBase64Text('$(count)')}`,
    () => long(),
  ],
  ['a result larger than it may be', 'avthumb/wav/ar/192000/ac/8', () => long()],
  ['a png of 60,000 by 60,000', 'imageView2/2/w/10', () => png(60_000, 60_000, 8, Buffer.alloc(1000))],
  [
    'a png of 256 megapixels',
    'imageView2/2/w/10',
    () => png(16_000, 16_000, 1, deflateSync(Buffer.alloc(2001 * 16_000))),
  ],
  [
    'a png of 144 megapixels',
    'imageMogr2/rotate/30',
    () => png(12_000, 12_000, 1, deflateSync(Buffer.alloc(1501 * 12_000))),
  ],
  ['a png of nothing', 'imageView2/2/w/10', () => png(0, 0, 8, Buffer.alloc(0))],
  ['a png with 100 MB of words', 'imageView2/2/w/10', () => wordyPng()],
  ['a gif of 65,535 by 65,535', 'imageView2/2/w/10', () => hugeGif()],
  ['a gif of 3,000 frames', 'imageView2/2/w/10', () => manyFrames(3000)],
  [
    'a jpeg that claims 65,500 by 65,500',
    'imageView2/2/w/10',
    () => Buffer.from('ffd8ffc0001108ffdcffdc03012200021101031101ffd9', 'hex'),
  ],
  [
    'a head of a jpeg',
    'exif',
    () => Buffer.from([0xff, 0xd8, 0xff, 0xe1, 0xff, 0xff, 0x45, 0x78, 0x69, 0x66]),
  ],
  [
    'a tiff whose directory names itself',
    'imageView2/2/w/10',
    () => Buffer.from('49492a00080000000100000104000100000008000000080000000', 'hex'),
  ],
  ['a packed vector graphic', 'imageView2/2/w/10', () => gzipSync(svg(`${url}/x.png`))],
  [
    'a pdf',
    'imageInfo',
    () => Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n'),
  ],
  [
    'words of another program',
    'imageView2/2/w/10',
    () => Buffer.from(`push graphic-context\nimage over 0,0 0,0 '${url}/x'\n`),
  ],
  [
    'a bmp that lies about its size',
    'imageView2/2/w/10',
    () => Buffer.from(`BM${'\xff'.repeat(60)}`, 'latin1'),
  ],
  [
    'a psd that lies about its size',
    'imageView2/2/w/10',
    () => Buffer.from(`8BPS\x00\x01${'\x00'.repeat(6)}\x00\x03${'\x7f'.repeat(40)}`, 'latin1'),
  ],
  [
    'a text that is a mile long',
    `watermark/2/text/${encodeBase64Text('█'.repeat(300))}/fontsize/20000`,
    () => logo,
  ],
];

describe('that takes more than it may', () => {
  test.each(bombs)('%s: %s', async (name, command, make) => {
    const outcome = await outcomeOf(command, [await make()]);
    if (/ten hours|larger than it may/.test(name)) expect(outcome).toMatchObject({ reason: 'limit' });
    if (outcome instanceof ProcessingError) expect(['source', 'limit']).toContain(outcome.reason);
    else expect(outcome).toHaveProperty('bytes');
  });
});

test('there are more than forty of them', () => {
  expect(readers.length + bombs.length).toBeGreaterThan(40);
});

test('what an engine left is no result if it is a link, a folder or has another name', async () => {
  const folder = path.join(bench.root, 'left');
  mkdirSync(folder);
  writeFileSync(path.join(folder, 'plain'), 'x');
  linkSync(path.join(folder, 'plain'), path.join(folder, 'twice'));
  symlinkSync('/etc/passwd', path.join(folder, 'link'));
  mkdirSync(path.join(folder, 'folder'));
  writeFileSync(path.join(folder, 'good'), 'x');
  for (const name of ['plain', 'twice', 'link', 'folder', 'missing'])
    await expect(takeOutput(folder, name, 'x/y')).rejects.toThrow(ProcessingError);
  expect(await takeOutput(folder, 'good', 'x/y')).toMatchObject({ size: 1 });
});

test('after all of it the engine works, and nothing is left behind', async () => {
  expect((await bench.run('imageView2/2/w/4', [logo])).mimeType).toBe('image/png');
  expect((await bench.run('vframe/jpg/offset/0', [video])).mimeType).toBe('image/jpeg');
  const home = readdirSync(bench.root).find((name) => /^\d+-\d+-\d+-[0-9a-f]{8}$/.test(name)) ?? '';
  const jobs = (): string[] => readdirSync(path.join(bench.root, home)).filter((name) => name !== 'filter');
  expect(await eventually(() => jobs().length === 0)).toBe(true);
  expect(zombieChildren()).toEqual([]);
  expect(hits).toBe(0);
});

function patch(source: Buffer, box: string, at: number, value: number): Buffer {
  const patched = Buffer.from(source);
  const found = patched.indexOf(box, 0, 'latin1');
  if (found < 0) throw new Error(`no ${box}`);
  patched.writeUInt32BE(value, found + 4 + at);
  return patched;
}

/** Large enough to be read in part. */
function large(): Buffer {
  return Buffer.concat([video, Buffer.alloc(5_000_000)]);
}

function gap(): Buffer {
  const args = [
    '-f',
    'lavfi',
    '-i',
    'color=red:s=64x64:r=1:d=2',
    '-vf',
    'setpts=N*36000/TB',
    '-fps_mode',
    'passthrough',
  ];
  return bench.make('gap.mkv', [...args, '-c:v', 'mjpeg']);
}

function long(): Buffer {
  return bench.make('long.mkv', [
    '-f',
    'lavfi',
    '-i',
    'testsrc2=s=64x64:r=25:d=10',
    '-f',
    'lavfi',
    '-i',
    'sine=d=10',
    '-c:v',
    'mpeg4',
  ]);
}

function ivf(): Buffer {
  const head = Buffer.alloc(44);
  head.write('DKIF', 'latin1');
  head.writeUInt16LE(32, 6);
  head.write('VP80', 8, 'latin1');
  head.writeUInt16LE(16_383, 12);
  head.writeUInt16LE(16_383, 14);
  head.writeUInt32LE(30, 16);
  head.writeUInt32LE(1, 20);
  head.writeUInt32LE(10, 32);
  const frame = Buffer.from('9042009d012aff3fff3f', 'hex');
  return Buffer.concat([head, frame]);
}

function wav(): Buffer {
  const head = Buffer.from(
    '52494646ffffffff57415645666d74201000000001000200ffff000000000100040010006461746100000000',
    'hex',
  );
  head.writeUInt32LE(0xffffffff, 40);
  return head;
}

function wordyPng(): Buffer {
  const words = Buffer.concat([Buffer.from('Comment\0\0', 'latin1'), deflateSync(Buffer.alloc(100_000_000))]);
  return png(1, 1, 8, deflateSync(Buffer.alloc(2)), [pngChunk('zTXt', words)]);
}

function manyFrames(count: number): Buffer {
  const head = Buffer.from('47494638396101000100800000000000ffffff', 'hex');
  const frame = Buffer.from('21f904000100000000' + '2c000000000100010000020244' + '0100', 'hex');
  return Buffer.concat([head, ...Array.from({ length: count }, () => frame), Buffer.from('3b', 'hex')]);
}
