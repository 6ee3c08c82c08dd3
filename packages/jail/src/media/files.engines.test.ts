// @module-tag sandbox
import { execFileSync } from 'node:child_process';
import { createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { copyFileSync, existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { encodeBase64, encodeBase64Text, parseCommand, parseFops } from '@millpond/protocol';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contentOf } from '../inspect/inspect.testing.ts';
import type { DownloadTarget } from './extra-sources.ts';
import { sourceOfFile } from './files.ts';
import { colorAt, colorVideo, type MediaBench, openMediaBench } from './media.testing.ts';
import { runStages, StageError } from './stages.ts';
import { createZipWriter } from './zip-writer.ts';

let bench: MediaBench;
let video: Buffer;

beforeAll(async () => {
  bench = await openMediaBench();
  video = bench.make('video.mp4', colorVideo(5));
});
afterAll(() => bench.close());

const b64 = encodeBase64Text;
const url = (name: string): string => b64(`http://pond.example/${name}`);

describe('segments', () => {
  test('of two seconds, in order, together the whole video', async () => {
    const mediaResult = await bench.run('avthumb/m3u8/segtime/2/noDomain/1', [video], {
      addressOf: ({ count, extension }) =>
        `https://cdn.example/a b/${count}.${extension}`.replace(' ', '%20'),
    });
    const playlist = mediaResult.bytes.toString();
    expect(mediaResult.mimeType).toBe('application/vnd.apple.mpegurl');
    expect(playlist).toMatch(/^#EXTM3U\n/);
    expect(playlist).toContain('#EXT-X-ENDLIST');
    expect(playlist.match(/^https.*$/gm)).toEqual(
      [0, 1, 2].map((count) => `https://cdn.example/a%20b/${count}.ts`),
    );
    expect(mediaResult.parts.map(({ count, mimeType }) => [count, mimeType])).toEqual(
      [0, 1, 2].map((count) => [count, 'video/mp2t']),
    );
    const whole = Buffer.concat(mediaResult.parts.map(({ bytes }) => bytes));
    const seen = bench.probe(whole);
    expect(seen.video).toMatchObject({ codec_name: 'h264' });
    expect(seen.duration).toBeCloseTo(5, 0);
    const colors = mediaResult.parts.map(({ bytes }) =>
      colorAt(bench.pixels(bytes, '2x2', ['-frames:v', '1'])),
    );
    expect(colors).toEqual(['red', 'blue', 'black']);
  });

  test('copied, with a shorter first one', async () => {
    const mediaResult = await bench.run('avthumb/m3u8/segtime/2/segFirstTime/1/vcodec/copy/acodec/copy', [
      video,
    ]);
    const lengths = [...mediaResult.bytes.toString().matchAll(/#EXTINF:([\d.]+)/g)].map(([, seconds]) =>
      Math.round(Number(seconds)),
    );
    expect(lengths).toEqual([1, 2, 2]);
    expect(mediaResult.bytes.toString()).toContain('\n000000.ts\n');
  });

  test('with a key: nothing is seen without it, all with it', async () => {
    const key = randomBytes(16);
    const iv = randomBytes(16);
    const parameters = `hlsKey/${encodeBase64(key)}/hlsKeyUrl/${url('key?a=1')}/hlsIV/${encodeBase64(iv)}`;
    const mediaResult = await bench.run(`avthumb/m3u8/segtime/2/${parameters}`, [video]);
    expect(mediaResult.bytes.toString()).toContain(
      `#EXT-X-KEY:METHOD=AES-128,URI="http://pond.example/key?a=1",IV=0x${iv.toString('hex')}`,
    );
    const [first] = mediaResult.parts;
    // Each packet of 188 bytes begins so; one of 256 keys makes any one byte what it was.
    expect([0, 188, 376].map((at) => first?.bytes[at])).not.toEqual([0x47, 0x47, 0x47]);
    const decipher = createDecipheriv('aes-128-cbc', key, iv);
    const plain = Buffer.concat([decipher.update(first?.bytes ?? Buffer.alloc(0)), decipher.final()]);
    expect(bench.probe(plain).video.codec_name).toBe('h264');
  });

  test('as fragments of mp4, with their head', async () => {
    const mediaResult = await bench.run('avthumb/m3u8/segtime/2/segmentType/fmp4', [video]);
    expect(mediaResult.parts.map(({ count }) => count)).toEqual([-1, 0, 1, 2]);
    expect(mediaResult.bytes.toString()).toContain('#EXT-X-MAP:URI="init.mp4"');
    expect(bench.probe(Buffer.concat(mediaResult.parts.map(({ bytes }) => bytes))).video.codec_name).toBe(
      'h264',
    );
  });
});

describe('vsample', () => {
  const pattern = b64('frames/$(count).jpg');
  test.each([
    [`ss/0.5/t/4/interval/1/pattern/${pattern}`, ['red', 'lime', 'blue', 'white']],
    [`ss/0/t/100/interval/2/pattern/${pattern}`, ['red', 'blue', 'black']],
    [`ss/1/t/3/frames/3/pattern/${pattern}`, ['lime', 'blue', 'white']],
    [`ss/3.5/t/50/interval/20/pattern/${pattern}`, ['white']],
  ])('%s', async (parameters, colors) => {
    const mediaResult = await bench.run(`vsample/jpg/${parameters}/s/80x`, [video]);
    const seen = await Promise.all(
      mediaResult.parts.map(async ({ bytes }) => {
        const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
        expect([info.width, info.height]).toEqual([80, 60]);
        return colorAt(data, 30 * 80 + 40);
      }),
    );
    expect(seen).toEqual(colors);
    const keys = colors.map((_, index) => `frames/00000${index + 1}.jpg`);
    expect(JSON.parse(mediaResult.bytes.toString())).toEqual({ keys });
  });

  test('beyond the end it fails', async () => {
    expect((await bench.failure(`vsample/jpg/ss/50/t/1/pattern/${pattern}`, [video])).message).toContain(
      'beyond the end',
    );
  });
});

describe('avconcat', () => {
  test('mode 1 joins videos that agree as they are', async () => {
    const mediaResult = await bench.run(`avconcat/1/format/mp4/${url('a')}`, [video, video]);
    expect(bench.probe(mediaResult.bytes).duration).toBeCloseTo(10, 0);
    const frames = bench.pixels(mediaResult.bytes, '2x2');
    expect([colorAt(frames, 4 * 5), colorAt(frames, 4 * 65)]).toEqual(['red', 'lime']);
  });

  test('mode 1 refuses videos that differ, mode 2 makes them alike, in order, with silence where there is no sound', async () => {
    const other = bench.make('other.webm', [
      '-f',
      'lavfi',
      '-i',
      'color=yellow:s=64x64:r=5:d=2',
      '-c:v',
      'libvpx',
    ]);
    expect((await bench.failure(`avconcat/1/format/mp4/${url('a')}`, [video, other])).message).toContain(
      'use mode 2',
    );
    const mediaResult = await bench.run(`avconcat/2/format/mp4/index/2/s/160x120/${url('a')}/${url('b')}`, [
      video,
      other,
      other,
    ]);
    const seen = bench.probe(mediaResult.bytes);
    expect(seen.duration).toBeCloseTo(9, 0);
    expect(seen.video).toMatchObject({ width: 160, height: 120, codec_name: 'h264' });
    expect(seen.audio.codec_name).toBe('aac');
    const frames = bench.pixels(mediaResult.bytes, '8x1', ['-r', '5']);
    // The square video stands in the middle of the frame, black beside it.
    expect([colorAt(frames, 8 * 5), colorAt(frames, 8 * 5 + 4)]).toEqual(['black', 'yellow']);
    expect([colorAt(frames, 8 * 12 + 4), colorAt(frames, 8 * 40 + 4)]).toEqual(['red', 'yellow']);
    const mute = bench.probe(
      (await bench.run(`avconcat/2/format/mp4/addAudio/0/${url('a')}`, [video, other])).bytes,
    );
    expect(mute.audio).toEqual({});
  });

  test('songs', async () => {
    const song = bench.make('song.mp3', ['-f', 'lavfi', '-i', 'sine=d=2']);
    expect(
      bench.probe((await bench.run(`avconcat/2/format/mp3/${url('a')}`, [song, video])).bytes).duration,
    ).toBeCloseTo(7, 0);
  });
});

describe('avinfo and qhash', () => {
  test('avinfo tells streams and format, no path of ours [command-06]', async () => {
    const { bytes, mimeType } = await bench.run('avinfo', [video]);
    const told = JSON.parse(bytes.toString()) as { streams: object[]; format: object };
    expect(mimeType).toBe('application/json');
    expect(told.streams).toHaveLength(2);
    expect(told.format).toMatchObject({ nb_streams: 2, size: String(video.length) });
    expect(bytes.toString()).not.toMatch(/\/in\/|\/job\/|filename/);
  });

  test.each(['md5', 'sha1', 'sha256'])('qhash/%s [command-11]', async (algorithm) => {
    const content = randomBytes(200_000);
    const { bytes } = await bench.run(`qhash/${algorithm}`, [content]);
    expect(JSON.parse(bytes.toString())).toEqual({
      hash: createHash(algorithm).update(content).digest('hex'),
      fsize: content.length,
    });
  });
});

describe('concat and mkzip', () => {
  test('concat joins bytes in order', async () => {
    const mediaResult = await bench.run(
      `concat/mimeType/${b64('text/plain')}/${url('a')}/${url('b')}`,
      ['one,', 'two,', 'three'].map((text) => Buffer.from(text)),
    );
    expect([mediaResult.bytes.toString(), mediaResult.mimeType]).toEqual(['one,two,three', 'text/plain']);
  });

  test('mkzip packs what unzip unpacks, under the names asked for', async () => {
    const text = Buffer.from('mill pond '.repeat(50_000));
    const empty = Buffer.alloc(0);
    const command = `mkzip/2/url/${url('a%20b.txt')}/url/${url('video')}/alias/${b64('videos/ü 水.mp4')}/url/${url('nothing')}`;
    const { bytes, mimeType } = await bench.run(command, [Buffer.from('x'), text, video, empty]);
    expect(mimeType).toBe('application/zip');
    expect(bytes.length).toBeLessThan(video.length + 20_000);
    const file = path.join(bench.root, 'made.zip');
    writeFileSync(file, bytes);
    expect(readZip(file)).toEqual([
      ['a b.txt', createHash('md5').update(text).digest('hex')],
      ['videos/ü 水.mp4', createHash('md5').update(video).digest('hex')],
      ['nothing', createHash('md5').update(empty).digest('hex')],
    ]);
  });

  test('mkzip/4 takes its files from a list', async () => {
    const list = Buffer.from(`/url/${url('one')}\r\n\n/url/${url('two')}/alias/${b64('deux')}\n`);
    const file = path.join(bench.root, 'list.zip');
    const job = {
      stages: [parseCommand('mkzip/4')],
      source: contentOf(list),
      signal: new AbortController().signal,
      further: async (address: string) => contentOf(Buffer.from(address)),
    };
    await runStages(bench.engine, job, async ({ main }) => copyFileSync(main.path, file));
    expect(readZip(file).map(([name]) => name)).toEqual(['one', 'deux']);
    const broken = await runStages(
      bench.engine,
      { ...job, source: contentOf(Buffer.from('no list')) },
      async () => 0,
    ).catch((error: unknown) => error);
    expect(broken).toMatchObject({ reason: 'source', stage: 0, message: 'mkzip: url is expected' });
  });

  test('files that had to be brought here are packed from a folder that is gone afterwards', async () => {
    const folders = new Set<string>();
    const job = {
      stages: [parseCommand(`mkzip/2/url/${url('one')}/url/${url('two')}`)],
      source: contentOf(Buffer.from('x')),
      signal: new AbortController().signal,
      further: async (address: string, downloadTarget: DownloadTarget) => {
        downloadTarget.count(address.length);
        folders.add(path.dirname(downloadTarget.path));
        writeFileSync(downloadTarget.path, address);
        return sourceOfFile({ path: downloadTarget.path, size: address.length });
      },
    };
    const file = path.join(bench.root, 'brought.zip');
    await runStages(bench.engine, job, async ({ main }) => copyFileSync(main.path, file));
    const md5 = (text: string) => createHash('md5').update(text).digest('hex');
    expect(readZip(file)).toEqual([
      ['one', md5('http://pond.example/one')],
      ['two', md5('http://pond.example/two')],
    ]);
    const limited = { ...job, limits: { fileBytes: 40 } };
    await expect(runStages(bench.engine, limited, async () => 0)).rejects.toMatchObject({
      reason: 'limit',
      stage: 0,
      message: 'the sources are too large together',
    });
    expect([folders.size, ...[...folders].map((folder) => existsSync(folder))]).toEqual([2, false, false]);
  });

  test('a file that may pass 4 GiB is written in the wide form', async () => {
    const pieces: Uint8Array[] = [];
    const writer = createZipWriter(async (bytes) => void pieces.push(bytes));
    const text = Buffer.from('mill pond '.repeat(1000));
    // What it says of its size decides; the bytes themselves would only take long.
    for (const method of ['store', 'deflate'] as const)
      await writer.add(method, { size: 5 * 2 ** 30, each: (take) => take(text) }, method);
    await writer.finish();
    const file = path.join(bench.root, 'wide.zip');
    writeFileSync(file, Buffer.concat(pieces));
    const hash = createHash('md5').update(text).digest('hex');
    expect(readZip(file)).toEqual([
      ['store', hash],
      ['deflate', hash],
    ]);
  });

  test('more than 65,535 files are written in the wide form', async () => {
    const pieces: Uint8Array[] = [];
    const writer = createZipWriter(async (bytes) => void pieces.push(bytes));
    for (let index = 0; index < 65_600; index++)
      await writer.add(`f${index}`, { size: 1, each: (take) => take(Buffer.from('x')) }, 'store');
    const size = await writer.finish();
    const archive = Buffer.concat(pieces);
    expect(archive.length).toBe(size);
    const file = path.join(bench.root, 'many.zip');
    writeFileSync(file, archive);
    const count = execFileSync('/usr/bin/python3', [
      '-c',
      'import sys,zipfile;z=zipfile.ZipFile(sys.argv[1]);print(len(z.namelist()))',
      file,
    ]);
    expect(Number(count.toString())).toBe(65_600);
  });
});

/** Names and hashes, read by another program than wrote it. */
function readZip(file: string): [string, string][] {
  const program = [
    'import sys,json,zipfile,hashlib',
    'z=zipfile.ZipFile(sys.argv[1])',
    'assert z.testzip() is None',
    'print(json.dumps([[n,hashlib.md5(z.read(n)).hexdigest()] for n in z.namelist()]))',
  ].join('\n');
  return JSON.parse(execFileSync('/usr/bin/python3', ['-c', program, file]).toString()) as [string, string][];
}

describe('stages', () => {
  const signal = new AbortController().signal;
  const run = async (text: string, source: Buffer) => {
    const [fop] = parseFops(text);
    const job = {
      stages: fop?.stages ?? [],
      source: contentOf(source),
      signal,
      further: async () => contentOf(Buffer.alloc(0)),
    };
    return runStages(bench.engine, job, async ({ main }) => sharp(main.path).metadata());
  };

  test('each takes what the one before it made', async () => {
    const made = await run(
      'avthumb/mp4/s/80x60/t/2|vframe/png/offset/1.5|imageView2/2/w/40/format/webp',
      video,
    );
    expect(made).toMatchObject({ format: 'webp', width: 40, height: 30 });
  });

  test('what any of them left out is said of the result', async () => {
    const [fop] = parseFops('avthumb/webm/an/1/t/0.5|avthumb/mp4');
    const transparent = bench.make('glass.webm', [
      '-f',
      'lavfi',
      '-i',
      'color=red@0.5:s=64x64:r=5:d=1,format=yuva420p',
      '-c:v',
      'libvpx-vp9',
      '-auto-alt-ref',
      '0',
    ]);
    const job = {
      stages: fop?.stages ?? [],
      source: contentOf(transparent),
      signal,
      further: async () => contentOf(Buffer.alloc(0)),
    };
    const warnings = await runStages(bench.engine, job, async (result) => result.warnings);
    expect(warnings).toEqual(['the video’s transparency is left out: libx264 has none']);
  });

  test('a failure says at which it was', async () => {
    const failed = await run('avthumb/mp3|vframe/jpg/offset/1', video).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(StageError);
    expect(failed).toMatchObject({ stage: 1, reason: 'source' });
  });
});
