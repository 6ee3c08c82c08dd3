// @module-tag sandbox
/**
 * Sources of every awkward kind, and what becomes of them: each row is one command on one source, run by the engine in the
 * sandbox, and judged by what a player would show of its result. The table is printed at the end.
 */
import { createDecipheriv } from 'node:crypto';
import { encodeBase64, encodeBase64Text } from '@millpond/protocol';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readExif } from '../images/sandboxed/exif.ts';
import { ProcessingError } from './failure.ts';
import { colorAt, type MediaBench, type MediaResult, openMediaBench } from './media.testing.ts';
import {
  barsIn,
  combing,
  frameOf,
  heardFrom,
  imageOf,
  loudnessOf,
  masteringOf,
  opacityAt,
  pixelAt,
  rotationOf,
  videoPackets,
  worstBar,
} from './testing/measures.ts';
import { PRINTED_BARS } from './testing/pictures.ts';
import { BARS } from './testing/source-makers.ts';
import { type SourceName, sourcesOf } from './testing/sources.ts';

interface Verdict {
  readonly seen: string;
  readonly isRight: boolean;
}

type Judge = (outcome: MediaResult | ProcessingError) => Verdict | Promise<Verdict>;

interface Row {
  /** What was wrong before. */
  readonly fault: string;
  readonly source: SourceName;
  readonly command: string;
  /** What must come out, in words. */
  readonly expected: string;
  readonly judges: readonly Judge[];
  /** What the command names besides the source. */
  readonly further?: readonly SourceName[];
}

/** With what the command names besides the source. */
function joining(further: SourceName, row: Row): Row {
  return { ...row, further: [further] };
}

function row(
  fault: string,
  name: SourceName,
  command: string,
  expected: string,
  ...judges: readonly Judge[]
): Row {
  return { fault, source: name, command, expected, judges };
}

let bench: MediaBench;
let source: (name: SourceName) => Promise<Buffer>;
const results: string[][] = [];

beforeAll(async () => {
  bench = await openMediaBench();
  source = sourcesOf(bench);
});

afterAll(async () => {
  const head = ['', 'of', 'source', 'command', 'expected', 'seen'];
  const widths = head.map((_, column) =>
    Math.max(...[head, ...results].map((row) => row[column]?.length ?? 0)),
  );
  const lines = [head, ...results].map((row) =>
    row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '),
  );
  const wrong = results.filter(([mark]) => mark !== 'ok').length;
  console.info(`${lines.join('\n')}\n${results.length} rows, ${wrong} wrong`);
  await bench.close();
});

function ofResult(judge: (mediaResult: MediaResult) => Verdict | Promise<Verdict>): Judge {
  return (outcome) =>
    outcome instanceof ProcessingError ? { seen: outcome.message, isRight: false } : judge(outcome);
}

/** Bars as they are shown, within so many of 255 of what they were. */
function showsBars(tolerance: number, frame = 0, expected = BARS): Judge {
  return ofResult(async ({ bytes, mimeType }) => {
    const pixels = /^image\/(?!gif)/.test(mimeType) ? await imageOf(bytes) : frameOf(bench, bytes, frame);
    const worst = worstBar(barsIn(pixels), expected);
    return { seen: `bars within ${worst}`, isRight: worst <= tolerance };
  });
}

/** Fields of the video stream, or with `audio`, of the sound. */
function has(fields: Readonly<Record<string, unknown>>, stream: 'video' | 'audio' = 'video'): Judge {
  return ofResult(({ bytes }) => {
    const probed = bench.probe(bytes)[stream];
    return {
      seen: Object.keys(fields)
        .map((name) => `${name} ${String(probed[name])}`)
        .join(', '),
      isRight: Object.entries(fields).every(([name, value]) => probed[name] === value),
    };
  });
}

/** A display of this shape, of square pixels. */
function isShown(width: number, height: number): Judge {
  return ofResult(({ bytes }) => {
    const { video } = bench.probe(bytes);
    const {
      width: wide,
      height: high,
      sample_aspect_ratio: aspect = '1:1',
    } = video as Record<string, string>;
    const seen = `${wide}x${high}, pixels ${aspect}`;
    return { seen, isRight: seen === `${width}x${height}, pixels 1:1` };
  });
}

function fails(words: RegExp): Judge {
  return (outcome) =>
    outcome instanceof ProcessingError
      ? { seen: outcome.message, isRight: words.test(outcome.message) && outcome.reason === 'source' }
      : { seen: 'a result', isRight: false };
}

function warns(...expected: readonly RegExp[]): Judge {
  return ofResult(({ warnings }) => ({
    seen: warnings.length === 0 ? 'no warning' : warnings.join('; '),
    isRight:
      warnings.length === expected.length && expected.every((form, at) => form.test(warnings[at] ?? '')),
  }));
}

function measures(
  what: string,
  measure: (mediaResult: MediaResult) => number | Promise<number>,
  from: number,
  to: number,
) {
  return ofResult(async (mediaResult) => {
    const value = await measure(mediaResult);
    return { seen: `${what} ${Math.round(value * 100) / 100}`, isRight: value >= from && value <= to };
  });
}

function says(
  what: string,
  text: (mediaResult: MediaResult) => string | Promise<string>,
  expected: string | RegExp,
) {
  return ofResult(async (mediaResult) => {
    const seen = await text(mediaResult);
    const isRight = typeof expected === 'string' ? seen === expected : expected.test(seen);
    return { seen: `${what}${seen}`, isRight };
  });
}

/** Tells where a grey picture on a black canvas is black. */
function isBlackAt(
  black: readonly (readonly [number, number])[],
  grey: readonly (readonly [number, number])[],
  frame = 0,
): Judge {
  return ofResult(({ bytes }) => {
    const pixels = frameOf(bench, bytes, frame);
    const isBlack = ([x, y]: readonly [number, number]): boolean => (pixelAt(pixels, x, y)[0] ?? 0) < 40;
    const isRight = black.every(isBlack) && !grey.some(isBlack);
    return { seen: isRight ? 'black beside it' : 'in another shape', isRight };
  });
}

const isLoud = (target: number) =>
  ofResult(({ bytes }) => {
    const { integrated, peak } = loudnessOf(bench, bytes);
    const isRight = Math.abs(integrated - target) <= 0.5 && peak < -1;
    return { seen: `${integrated} LUFS, peak ${peak} dBTP`, isRight };
  });

const seconds = (from: number, to: number) =>
  measures('seconds', ({ bytes }) => bench.probe(bytes).duration, from, to);

const streams = (expected: string) =>
  says(
    '',
    ({ bytes }) =>
      bench
        .probe(bytes)
        .streams.map(({ codec_name, tags }) => {
          const language = (tags as { language?: string } | undefined)?.language ?? 'und';
          return language === 'und' ? String(codec_name) : `${String(codec_name)}(${language})`;
        })
        .join(' '),
    expected,
  );

/** The colour of each second, in its middle: of a result, or of an image. */
function isColored(...expected: readonly string[]): Judge {
  return says(
    '',
    ({ bytes, mimeType }) =>
      expected
        .map((_, second) => {
          const at = mimeType.startsWith('image/') ? [] : ['-ss', String(second + 0.2)];
          return colorAt(bench.pixels(bytes, '1x1', [...at, '-frames:v', '1']));
        })
        .join(' '),
    expected.join(' '),
  );
}

const samples = (...expected: readonly string[]): Judge =>
  says(
    '',
    ({ parts }) => parts.map(({ bytes }) => colorAt(bench.pixels(bytes, '1x1'))).join(' '),
    expected.join(' '),
  );

const isCombed = (from: number, to: number): Judge =>
  measures(
    'combs',
    async ({ bytes, mimeType }) =>
      combing(mimeType.startsWith('image/') ? await imageOf(bytes) : frameOf(bench, bytes, 10)),
    from,
    to,
  );

const startsAt = (start: number): Judge =>
  measures(
    'starts at',
    ({ bytes }) => Number(bench.probe(bytes).format.start_time),
    start - 0.05,
    start + 0.15,
  );

/** By its playlist. */
const lasts = (from: number, to: number): Judge =>
  measures(
    'seconds',
    ({ bytes }) =>
      [...bytes.toString().matchAll(/#EXTINF:([\d.]+)/g)].reduce(
        (sum, [, length]) => sum + Number(length),
        0,
      ),
    from,
    to,
  );

const isAsLoud = (name: SourceName): Judge =>
  measures(
    'louder by',
    async ({ bytes }) =>
      loudnessOf(bench, bytes).integrated - loudnessOf(bench, await source(name)).integrated,
    -1,
    1,
  );

/** When a player would first hear something. */
const isHeardFrom = (from: number): Judge =>
  measures('heard from', ({ bytes }) => heardFrom(bench, bytes), from - 0.1, from + 0.1);

/** What those see who know of no profiles. */
const showsNumbers = (tolerance: number): Judge =>
  ofResult(async ({ bytes }) => {
    const { data, info } = await sharp(bytes, { ignoreIcc: true })
      .raw()
      .toBuffer({ resolveWithObject: true });
    const worst = worstBar(
      barsIn({ width: info.width, height: info.height, channels: info.channels, data }),
      BARS,
    );
    return { seen: `numbers within ${worst}`, isRight: worst <= tolerance };
  });

/** Grey on the left, nothing on the right. */
const isHalf = (width: number, grey: number): Judge =>
  ofResult(async ({ bytes }) => {
    const pixels = await imageOf(bytes);
    const [left, right] = [Math.round(width / 2), width + Math.round(width / 2)].map((x) =>
      pixelAt(pixels, x, 10),
    );
    const isRight =
      Math.abs((left?.[0] ?? 0) - grey) <= 6 && left?.at(-1) === 255 && (right?.at(-1) ?? 255) < 8;
    return { seen: `${left?.join(',')} and ${right?.join(',')}`, isRight };
  });

const isWhiteAt = (x: number, y: number): Judge =>
  measures('least', ({ bytes }) => Math.min(...pixelAt(frameOf(bench, bytes), x, y)), 245, 255);

/** Three frames: what a square leaves is gone. */
const isSticker = (factor: number): Judge =>
  ofResult(async ({ bytes }) => {
    const seen: string[] = [];
    for (const page of [0, 1, 2]) {
      const { data, info } = await sharp(bytes, { page })
        .ensureAlpha()
        .raw()
        .toBuffer({ resolveWithObject: true });
      const pixels = { width: info.width, height: info.height, channels: info.channels, data };
      const at = [10, 30, 50, 70].map((x) => pixelAt(pixels, x * factor, 20 * factor));
      seen.push(
        at
          .map(([red = 0, green = 0, , alpha]) => (alpha === 0 ? '-' : red > 200 && green < 60 ? 'r' : '?'))
          .join(''),
      );
    }
    return { seen: seen.join(' '), isRight: seen.join(' ') === 'r--- -r-- --r-' };
  });

/** Encoded URLs and keys. */
const LONG_VALUES = /(?<=\/)[A-Za-z0-9_=-]{20,}/g;
const url = encodeBase64Text('http://pond.example/further');
const bt709 = has({
  color_space: 'bt709',
  color_transfer: 'bt709',
  color_primaries: 'bt709',
  color_range: 'tv',
});
const KEY = Buffer.alloc(16, 7);
const keyed = `hlsKey/${encodeBase64(KEY)}/hlsKeyUrl/${encodeBase64Text('http://pond.example/key')}`;

/** The description of services that a segment begins with; a digit counts. */
const FIRST_PACKET = /^4740111[0-9a-f]0042f0250001c10000ff01ff$/;

function decrypted({ parts }: MediaResult, at: number, iv: Buffer): Buffer {
  const decipher = createDecipheriv('aes-128-cbc', KEY, iv);
  return Buffer.concat([decipher.update(parts[at]?.bytes ?? Buffer.alloc(0)), decipher.final()]);
}

function ivOf(count: number): Buffer {
  const iv = Buffer.alloc(16);
  iv.writeUInt32BE(count, 12);
  return iv;
}

/** What is left of the Exif, the XMP and the profile of an image. */
const remembers = (expected: string) =>
  says(
    '',
    async ({ bytes }) => {
      const { exif, xmp, icc } = await sharp(bytes).metadata();
      const tags = Object.keys(exif === undefined ? {} : (readExif(exif) ?? {}));
      return [
        tags.some((tag) => tag.startsWith('GPS')) || /GPS/.test(xmp?.toString() ?? '') ? 'place' : 'no place',
        tags.includes('Artist') ? 'artist' : 'no artist',
        ...(xmp === undefined ? [] : ['xmp']),
        ...(icc === undefined ? [] : ['profile']),
      ].join(', ');
    },
    expected,
  );

const rows: readonly Row[] = [
  row('M1', 'bars709', 'vframe/jpg/offset/0', 'the bars', showsBars(4)),
  row('M1', 'bars709', 'vframe/png/offset/0', 'the bars', showsBars(4)),
  row('M1', 'bars601', 'vframe/jpg/offset/0', 'the bars', showsBars(4)),
  row('M1', 'barsUntaggedHd', 'vframe/jpg/offset/0/w/322', 'the bars', showsBars(4)),
  row('M1', 'barsUntaggedHd', 'vframe/png/offset/0/w/322', 'the bars', showsBars(4)),
  row('M1', 'barsUntaggedSd', 'vframe/jpg/offset/0', 'the bars', showsBars(4)),
  row('M1', 'barsFull', 'vframe/jpg/offset/0', 'the bars', showsBars(4)),
  row('M1', 'bars709', 'avthumb/mp4', 'the bars, tagged', showsBars(4), bt709),
  row('M1', 'barsFull', 'avthumb/mp4', 'the bars, limited', showsBars(4), bt709),
  row('M2', 'pal', 'avthumb/mp4/s/x90', '160x90', isShown(160, 90)),
  row('M2', 'pal', 'avthumb/mp4/s/128x', '128x72', isShown(128, 72)),
  row('M2', 'pal', 'avthumb/mp4/s/160x160/autoscale/1', '160x90', isShown(160, 90)),
  row(
    'M2',
    'pal',
    'avthumb/mp4/padW/320/padH/240',
    'no squeeze on the canvas',
    isShown(320, 240),
    isBlackAt(
      [
        [20, 120],
        [160, 40],
      ],
      [
        [40, 120],
        [160, 56],
      ],
    ),
  ),
  row('M2', 'palTurned', 'avthumb/mp4/s/90x', '90x160', isShown(90, 160)),
  row('M2', 'ntsc', 'avthumb/mp4/s/120x120/autoscale/1', '120x90', isShown(120, 90)),
  row('M2', 'narrow', 'avthumb/mp4/s/x60>', '120x60', isShown(120, 60)),
  row('M2', 'narrowTurned', 'avthumb/mp4/s/60x120/autoscale/1', '60x120', isShown(60, 120)),
  row(
    'M3',
    'cutMp4',
    'avthumb/mp4/s/160x90',
    'says how far',
    fails(/: the source ends after 2\.\d\d of 4\.\d\d s$/),
  ),
  row('M3', 'cutMkv', 'avthumb/mp3', 'says how far', fails(/: the source ends after 2\.\d\d of 4\.\d\d s$/)),
  row(
    'M3',
    'cutMp4',
    'avthumb/mp4/s/160x90/ignore-error/1',
    'a shorter film, and a warning',
    seconds(2, 3),
    warns(/^the source ends after 2\.\d\d of 4\.\d\d s$/),
  ),
  row('M3', 'cutMp4', 'avthumb/mp4/t/1/s/160x90', 'what is there is whole', seconds(0.9, 1.1), warns()),
  row('M3', 'lastFrameLong', 'avthumb/mp4', 'a long last frame is no cut', warns()),
  row('M3', 'damagedTs', 'avthumb/mp4/s/160x90', 'says so', fails(/the source is damaged/)),
  row('M4', 'hev1', 'avthumb/mp4/vcodec/copy', 'hvc1', has({ codec_tag_string: 'hvc1' })),
  row('M4', 'hev1', 'avthumb/mov/vcodec/copy', 'hvc1', has({ codec_tag_string: 'hvc1' })),
  row(
    'M4',
    'hev1',
    'avthumb/m3u8/vcodec/copy/segmentType/fmp4',
    'hvc1',
    says('', ({ parts }) => /hev1|hvc1/.exec(parts[0]?.bytes.toString('latin1') ?? '')?.[0] ?? '', 'hvc1'),
  ),
  row(
    'M4',
    'bars709',
    'avthumb/m3u8/vcodec/libx265/segmentType/fmp4',
    'hvc1',
    says('', ({ parts }) => /hev1|hvc1/.exec(parts[0]?.bytes.toString('latin1') ?? '')?.[0] ?? '', 'hvc1'),
  ),
  row('M5', 'screen', 'avthumb/mp4', 'the bars, tagged', showsBars(4), bt709),
  row('M5', 'barsUntaggedHd', 'avthumb/mp4/s/322x', 'the bars, tagged', showsBars(4), bt709),
  row(
    'M5',
    'barsUntaggedSd',
    'avthumb/mp4',
    'the bars, tagged',
    showsBars(4),
    has({ color_space: 'smpte170m', color_transfer: 'smpte170m' }),
  ),
  row('M5', 'screen', 'vframe/jpg/offset/0', 'the bars', showsBars(4)),
  row('M5', 'bars709', 'avthumb/ogv', 'the bars without tags', showsBars(6)),
  row('M5', 'barsUntaggedHd', 'avthumb/gif/gifHighColor/1/s/322x', 'the bars', showsBars(8)),
  row('M6', 'pq', 'avthumb/mp4', 'BT.709 of 8 bits', bt709, has({ pix_fmt: 'yuv420p' }), showsBars(70)),
  row('M6', 'hlg', 'avthumb/mp4/vcodec/libx265', 'BT.709 of 8 bits', bt709, has({ pix_fmt: 'yuv420p' })),
  row(
    'M6',
    'pq',
    'avthumb/mp4/vcodec/libx265/hdr/keep',
    'PQ of 10 bits',
    has({ color_transfer: 'smpte2084', color_primaries: 'bt2020', pix_fmt: 'yuv420p10le' }),
    says('', ({ bytes }) => masteringOf(bench, bytes), '34000/50000, 10000000/10000, 1000'),
  ),
  row('M6', 'pq', 'vframe/jpg/offset/0', 'mapped', showsBars(70)),
  row(
    'M7',
    'phone',
    'avthumb/ts/vcodec/copy/acodec/copy',
    'says so',
    fails(/rotated by 90 degrees, which ts cannot say/),
  ),
  row(
    'M7',
    'phone',
    'avthumb/flv/vcodec/copy/acodec/copy',
    'says so',
    fails(/rotated by 90 degrees, which flv cannot say/),
  ),
  row(
    'M7',
    'phone',
    'avthumb/m3u8/vcodec/copy/acodec/copy',
    'says so',
    fails(/: the video is rotated by 90 degrees, which ts cannot say: encode it, or segmentType\/fmp4$/),
  ),
  row(
    'M7',
    'phone',
    'avthumb/m3u8/vcodec/copy/acodec/copy/segmentType/fmp4',
    'rotated by 90',
    measures(
      'rotated by',
      ({ parts }) => rotationOf(bench, Buffer.concat(parts.map(({ bytes }) => bytes))),
      90,
      90,
    ),
  ),
  row(
    'M7',
    'phone',
    'avthumb/mp4/rotate/90/an/1',
    'turned once',
    isShown(180, 320),
    measures('rotated by', ({ bytes }) => rotationOf(bench, bytes), 0, 0),
  ),
  row(
    'M8',
    'surround',
    'avthumb/mp4',
    '5.1 at six times 64k',
    has({ channel_layout: '5.1' }, 'audio'),
    measures('rate', ({ bytes }) => Number(bench.probe(bytes).audio.bit_rate), 250_000, 400_000),
  ),
  row('M8', 'surround', 'avthumb/flv', 'two channels', has({ channels: 2 }, 'audio')),
  row(
    'M8',
    'surround',
    'avthumb/m3u8',
    'two channels',
    measures(
      'channels',
      ({ parts }) => Number(bench.probe(parts[0]?.bytes ?? Buffer.alloc(0)).audio.channels),
      2,
      2,
    ),
  ),
  row('M8', 'surround', 'avthumb/webm/vn/1/acodec/libopus', '5.1', has({ channels: 6 }, 'audio')),
  row('M8', 'surround', 'avthumb/wma', 'two channels', has({ channels: 2 }, 'audio')),
  row('M9', 'quiet', 'avthumb/m4a/loudnorm/1', '-23 LUFS', isLoud(-23), warns()),
  row('M9', 'quiet', 'avthumb/wav/loudnorm/1/loudnormI/-16', '-16 LUFS', isLoud(-16)),
  row('M9', 'peaky', 'avthumb/wav/loudnorm/1', '-23 LUFS, limited, says so', isLoud(-23), warns(/peaks/)),
  row(
    'M10',
    'interlaced',
    'avthumb/mp4',
    'no combs',
    measures('combs', ({ bytes }) => combing(frameOf(bench, bytes, 10)), 0, 1.2),
  ),
  row(
    'M10',
    'interlaced',
    'avthumb/mp4/deinterlace/0',
    'combs as they were',
    measures('combs', ({ bytes }) => combing(frameOf(bench, bytes, 10)), 1.5, 99),
  ),
  row(
    'M10',
    'interlaced',
    'vframe/png/offset/0.4',
    'no combs',
    measures('combs', async ({ bytes }) => combing(await imageOf(bytes)), 0, 1.2),
  ),
  row('M11', 'screenOdd', 'avthumb/mp4', 'even, of square pixels', isShown(342, 190), showsBars(4)),
  row(
    'M12',
    'variable',
    'avthumb/mp4',
    'as many frames',
    measures(
      'packets',
      async ({ bytes }) => videoPackets(bench, bytes) - videoPackets(bench, await source('variable')),
      -1,
      1,
    ),
  ),
  row(
    'M12',
    'variable',
    'avthumb/m3u8/segmentType/fmp4',
    'as many frames',
    measures(
      'packets',
      async ({ parts }) =>
        videoPackets(bench, Buffer.concat(parts.map(({ bytes }) => bytes))) -
        videoPackets(bench, await source('variable')),
      -1,
      1,
    ),
  ),
  row(
    'M12',
    'variable',
    'avthumb/m3u8',
    'at most 60 a second',
    measures(
      'packets',
      ({ parts }) => videoPackets(bench, Buffer.concat(parts.map(({ bytes }) => bytes))),
      20,
      90,
    ),
  ),
  row(
    'M13',
    'phone',
    'avthumb/mp4',
    'title, artist, time, language; no place',
    says('', ({ bytes }) => tagsOf(bytes), 'artist, creation_time, title'),
    streams('h264 aac(fra)'),
  ),
  row(
    'M13',
    'phone',
    'avthumb/mp4/stripmeta/0',
    'all of it',
    says('', ({ bytes }) => tagsOf(bytes), /location.*title/),
  ),
  row(
    'M13',
    'phone',
    'avthumb/mp4/stripmeta/1',
    'none',
    says('tags: ', ({ bytes }) => tagsOf(bytes), ''),
  ),
  row(
    'M13',
    'placedJpeg',
    'imageMogr2/thumbnail/!50p',
    'no place',
    remembers('no place, artist, xmp, profile'),
  ),
  row('M13', 'placedPng', 'imageMogr2/thumbnail/!50p', 'no place', remembers('no place, artist')),
  row('M13', 'placedWebp', 'imageMogr2/thumbnail/!50p', 'no place', remembers('no place, artist')),
  row(
    'M14',
    'transparent',
    'avthumb/webm/vcodec/libvpx-vp9',
    'as transparent',
    measures('opaque left', ({ bytes }) => opacityAt(bench, bytes, 40, 45), 240, 255),
    measures('right', ({ bytes }) => opacityAt(bench, bytes, 120, 45), 0, 16),
    warns(),
  ),
  row('M14', 'transparent', 'avthumb/mp4', 'says so', warns(/transparen/)),
  row(
    'M14',
    'transparent',
    'vframe/png/offset/0',
    'as transparent',
    measures('opacity', async ({ bytes }) => pixelAt(await imageOf(bytes), 120, 45)[3] ?? 255, 0, 16),
  ),
  row(
    'M15',
    'tracks',
    'avthumb/mp4/s/80x',
    'all tracks',
    streams('h264 aac(eng) aac(deu) mov_text(eng) mov_text(fra)'),
    warns(),
  ),
  row(
    'M15',
    'tracks',
    'avthumb/mkv/s/80x',
    'all tracks',
    streams('h264 aac(eng) aac(deu) subrip(eng) subrip(fra)'),
  ),
  row(
    'M15',
    'tracks',
    'avthumb/flv/s/80x',
    'says what is left out',
    streams('h264 aac'),
    warns(/1 of 2 sound tracks.*flv/, /2 of 2 subtitle tracks.*flv/),
  ),
  row('M15', 'tracks', 'avthumb/mp4/t/1/s/80x', 'as long as asked', seconds(0.9, 1.2)),
  row('M15', 'tracks', 'avthumb/mkv/t/1/vcodec/copy/acodec/copy', 'as long as asked', seconds(0.9, 1.2)),
  row(
    'M15',
    'tracks',
    'avthumb/m3u8',
    'says what is left out',
    warns(/1 of 2 sound.*m3u8/, /2 of 2 subtitle.*m3u8/),
  ),
  row('M15', 'tracks', 'avthumb/mp3/an/0', 'sound alone', streams('mp3'), warns(/1 of 2 sound.*mp3/)),
  row(
    'M16',
    'photo',
    'imageView2/2/w/400/format/avif',
    'smaller than webp',
    measures(
      'of webp',
      async ({ bytes }) =>
        bytes.length /
        (await bench.run('imageView2/2/w/400/format/webp', [await source('photo')])).bytes.length,
      0,
      0.95,
    ),
  ),
  row(
    'M16',
    'photo',
    'imageView2/2/w/400/format/avif/q/75',
    'as asked for',
    measures('bytes', async ({ bytes }) => bytes.length - (await avifOf(75)).length, 0, 0),
  ),
  row(
    'M17',
    'heic',
    'imageView2/2/w/40',
    'a sentence',
    fails(/: the image cannot be read: it is HEIC \(HEVC\), which this server cannot decode$/),
  ),
  row('M17', 'song', 'vframe/jpg/offset/0', 'a sentence', fails(/: the source has no video$/)),
  row(
    'M17',
    'animatedWebp',
    'avthumb/mp4',
    'a sentence',
    fails(/: the source is an image \(image\/webp\), not a video.*imageMogr2\/format\/gif/),
  ),
  row(
    'M17',
    'noise',
    'avthumb/mp4',
    'a sentence',
    fails(/: the source is damaged, or no video or recording that can be read here$/),
  ),
  row(
    'M17',
    'noise',
    'imageView2/2/w/40',
    'a sentence',
    fails(/: the image cannot be read: it is damaged, or no image of a kind that can be read here$/),
  ),
  row(
    'M18',
    'long',
    `avthumb/m3u8/segtime/2/${keyed}`,
    'each by its number',
    says('', (mediaResult) => decrypted(mediaResult, 5, ivOf(5)).toString('hex', 0, 16), FIRST_PACKET),
    says(
      '',
      (mediaResult) => /#EXT-X-KEY.*/.exec(mediaResult.bytes.toString())?.[0] ?? '',
      '#EXT-X-KEY:METHOD=AES-128,URI="http://pond.example/key"',
    ),
  ),
  row(
    'M18',
    'long',
    `avthumb/m3u8/segtime/4/${keyed}/hlsIV/${encodeBase64(ivOf(99))}`,
    'all by one',
    says('', (mediaResult) => decrypted(mediaResult, 2, ivOf(99)).toString('hex', 0, 16), FIRST_PACKET),
    says(
      '',
      (mediaResult) => /,IV=.*/.exec(mediaResult.bytes.toString())?.[0] ?? '',
      ',IV=0x00000000000000000000000000000063',
    ),
  ),
  row('R1', 'bottomFirst', 'avthumb/mp4', 'no combs', isCombed(0, 1.2)),
  row('R1', 'bottomFirst', 'avthumb/mp4/deinterlace/0', 'combs as they were', isCombed(1.5, 99)),
  row('R1', 'bottomFirst', 'vframe/png/offset/0.4', 'no combs', isCombed(0, 1.2)),
  row('R2', 'tape', 'avthumb/mp4', 'the bars, tagged', showsBars(6), has({ color_space: 'smpte170m' })),
  row('R2', 'tape', 'avthumb/mp4/s/x90', '160x90', isShown(160, 90), showsBars(6)),
  row(
    'R2',
    'tape',
    'vframe/jpg/offset/0',
    'the bars in their shape',
    showsBars(6),
    measures('wide', async ({ bytes }) => (await imageOf(bytes)).width, 1022, 1026),
  ),
  row('R3', 'tenBits', 'avthumb/mp4', 'BT.709 of 8 bits', bt709, has({ pix_fmt: 'yuv420p' }), showsBars(4)),
  row(
    'R3',
    'tenBits',
    'avthumb/mp4/vcodec/libx265',
    'BT.709 of 8 bits',
    bt709,
    has({ pix_fmt: 'yuv420p' }),
    showsBars(4),
  ),
  row('R3', 'tenBits', 'avthumb/webm', 'BT.709 of 8 bits', has({ pix_fmt: 'yuv420p' }), showsBars(8)),
  row(
    'R3',
    'tenBits',
    'avthumb/mp4/vcodec/copy',
    'as it was',
    has({ pix_fmt: 'yuv420p10le', codec_tag_string: 'hvc1' }),
    showsBars(4),
  ),
  row('R3', 'tenBits', 'vframe/jpg/offset/0', 'the bars', showsBars(4)),
  row('R4', 'odd422', 'avthumb/mp4', 'even, of square pixels', isShown(342, 190), bt709, showsBars(4)),
  row(
    'R4',
    'odd422',
    'avthumb/gif/gifHighColor/1',
    'as large as it was',
    has({ width: 343, height: 191 }),
    showsBars(8),
  ),
  row('R4', 'odd422', 'vframe/png/offset/0', 'the bars', showsBars(4)),
  row('R5', 'motionJpeg', 'avthumb/mp4', 'the bars, limited', has({ color_range: 'tv' }), showsBars(4)),
  row('R5', 'motionJpeg', 'vframe/jpg/offset/0', 'the bars', showsBars(4)),
  row('R5', 'motionJpeg', 'avthumb/webm', 'the bars', showsBars(8)),
  row(
    'R6',
    'farTs',
    'avthumb/mp4',
    'four seconds from 0',
    seconds(3.9, 4.2),
    startsAt(0),
    isColored('red', 'lime', 'blue', 'white'),
    warns(),
  ),
  row('R6', 'farTs', 'avthumb/mp4/ss/1/t/1', 'its second second', seconds(0.9, 1.15), isColored('lime')),
  row(
    'R6',
    'farTs',
    'avthumb/mp4/vcodec/copy/acodec/copy',
    'four seconds from 0',
    seconds(3.9, 4.2),
    startsAt(0),
  ),
  row('R6', 'farTs', 'avthumb/m3u8/segtime/2', 'two segments', lasts(3.9, 4.2)),
  row('R6', 'farTs', 'vframe/png/offset/2.5', 'blue', isColored('blue')),
  row(
    'R6',
    'farTs',
    `vsample/png/ss/0/t/4/interval/1/pattern/${encodeBase64Text('$(count).png')}`,
    'each second',
    samples('red', 'lime', 'blue', 'white'),
  ),
  row('R6', 'farTs', 'avthumb/mp3', 'four seconds', seconds(3.9, 4.2)),
  row(
    'R6',
    'wrappingTs',
    'avthumb/mp4',
    'four seconds from 0',
    seconds(3.9, 4.2),
    startsAt(0),
    isColored('red', 'lime', 'blue', 'white'),
    warns(),
  ),
  row('R6', 'wrappingTs', 'avthumb/mp4/ss/2/t/1', 'its third second', seconds(0.9, 1.15), isColored('blue')),
  row('R6', 'wrappingTs', 'vframe/png/offset/2.5', 'blue', isColored('blue')),
  row('R6', 'wrappingTs', 'avthumb/m3u8/segtime/2', 'two segments', lasts(3.9, 4.2)),
  row(
    'R6',
    'farTs',
    'avthumb/mp4/ss/2.5/t/1',
    'from half a second before white',
    seconds(0.9, 1.15),
    startsAt(0),
    isColored('blue'),
    isHeardFrom(0),
  ),
  row('R6', 'farTs', 'avthumb/mp4/ss/2.5/t/1/loudnorm/1', '-23 LUFS', isLoud(-23), isColored('blue')),
  row(
    'R6',
    'farTs',
    `vsample/png/ss/1.5/t/4/interval/1/pattern/${encodeBase64Text('$(count).png')}`,
    'each half',
    samples('lime', 'blue', 'white'),
  ),
  row(
    'R6',
    'farTs',
    `vsample/png/ss/0.5/t/4/interval/20/pattern/${encodeBase64Text('$(count).png')}`,
    'one',
    samples('red'),
  ),
  row('R6', 'wrappingTs', 'avthumb/mp4/ss/1.5/t/1', 'lime first', seconds(0.9, 1.15), isColored('lime')),
  row('R7', 'voice', 'avthumb/ogg', 'as loud', streams('vorbis'), isAsLoud('voice')),
  row('R7', 'voice', 'avthumb/webm/vn/1/acodec/libvorbis', 'as loud', streams('vorbis'), isAsLoud('voice')),
  row('R7', 'voice', 'avthumb/mp3', 'as loud', streams('mp3'), isAsLoud('voice')),
  row('R7', 'voice', 'avthumb/m4a', 'as loud', streams('aac'), isAsLoud('voice')),
  row('R7', 'doorbell', 'avthumb/ogg/ab/320k', 'as loud', streams('vorbis'), isAsLoud('doorbell')),
  row('R7', 'doorbell', 'avthumb/mp4', 'as long, as loud', streams('h264 aac'), isAsLoud('doorbell')),
  row('R7', 'doorbell', 'avthumb/mp3', 'as loud', streams('mp3'), isAsLoud('doorbell')),
  row('R7', 'doorbell', 'avthumb/ogg', 'as loud', streams('vorbis'), isAsLoud('doorbell')),
  row(
    'R7',
    'doorbell',
    'avthumb/mkv/acodec/libvorbis',
    'as loud',
    streams('h264 vorbis'),
    isAsLoud('doorbell'),
  ),
  row('R7', 'doorbell', 'avthumb/webm', 'as loud', isAsLoud('doorbell')),
  row('R7', 'doorbell', 'avthumb/ogv', 'as loud', isAsLoud('doorbell')),
  row('R7', 'doorbell', 'avthumb/flv', 'as loud', streams('h264 aac'), isAsLoud('doorbell')),
  row(
    'R7',
    'doorbell',
    'avthumb/flv/acodec/libmp3lame',
    'as loud',
    streams('h264 mp3'),
    isAsLoud('doorbell'),
  ),
  row('R7', 'doorbell', 'avthumb/mkv/acodec/ac3', 'as loud', streams('h264 ac3'), isAsLoud('doorbell')),
  row('R7', 'doorbell', 'avthumb/wma', 'as loud', streams('wmav2'), isAsLoud('doorbell')),
  row('R7', 'doorbell', 'avthumb/opus', 'as loud', streams('opus'), isAsLoud('doorbell')),
  row('R7', 'doorbell', 'avthumb/m4a/loudnorm/1', '-23 LUFS', isLoud(-23)),
  row(
    'R7',
    'doorbell',
    'avthumb/mp4/vcodec/copy/acodec/copy',
    'a sentence',
    fails(/cannot hold a track of codec pcm_alaw$/),
  ),
  row('R7', 'memo', 'avthumb/mp3', 'two seconds', streams('mp3'), seconds(1.9, 2.2)),
  row('R7', 'memo', 'avthumb/m4a', 'two seconds', streams('aac'), seconds(1.9, 2.3)),
  row('R7', 'memo', 'avthumb/ogg', 'two seconds', streams('vorbis'), seconds(1.9, 2.3)),
  row('R8', 'edited', 'avthumb/mp4', 'from the blue on', seconds(1.4, 1.65), isColored('blue'), warns()),
  row(
    'R8',
    'edited',
    'avthumb/mp4/vcodec/copy/acodec/copy',
    'from the blue on',
    seconds(1.4, 1.65),
    isColored('blue'),
  ),
  row(
    'R8',
    'edited',
    'avthumb/ts/vcodec/copy/acodec/copy',
    'says so',
    fails(/hides its first frames by an edit list, which ts does not have: encode it$/),
  ),
  row('R8', 'edited', 'avthumb/mp4/ss/1', 'white', isColored('white'), seconds(0.4, 0.65)),
  row('R8', 'edited', 'avthumb/m3u8', 'from the blue on', lasts(1.4, 1.65)),
  row('R8', 'edited', 'vframe/png/offset/0', 'blue', isColored('blue')),
  row('R8', 'edited', 'vframe/png/offset/1', 'white', isColored('white')),
  row(
    'R8',
    'edited',
    `vsample/png/ss/0/t/1.5/interval/1/pattern/${encodeBase64Text('$(count).png')}`,
    'blue and white',
    samples('blue', 'white'),
  ),
  row(
    'R9',
    'browser',
    'avthumb/mp4',
    'four seconds',
    seconds(3.9, 4.2),
    isColored('red', 'lime', 'blue', 'white'),
    warns(),
  ),
  row('R9', 'browser', 'avthumb/webm/vcodec/copy/acodec/copy', 'with a length', seconds(3.9, 4.2)),
  row('R9', 'browser', 'avthumb/m3u8/segtime/2', 'two segments', lasts(3.9, 4.2)),
  row('R9', 'browser', 'vframe/png/offset/2.5', 'blue', isColored('blue')),
  row(
    'R9',
    'browser',
    `vsample/png/ss/0/t/10/interval/1/pattern/${encodeBase64Text('$(count).png')}`,
    'each second',
    samples('red', 'lime', 'blue', 'white'),
  ),
  row('R9', 'browser', 'avthumb/mp3/loudnorm/1', '-23 LUFS', seconds(3.9, 4.2), isLoud(-23)),
  row(
    'R9',
    'fragmented',
    'avthumb/mp4/vcodec/copy/acodec/copy',
    'four seconds',
    seconds(3.9, 4.2),
    isColored('red', 'lime', 'blue', 'white'),
  ),
  row('R9', 'fragmented', 'vframe/png/offset/2.5', 'blue', isColored('blue')),
  row('R9', 'fragmented', 'avthumb/mp4/ss/2/t/1', 'its third second', seconds(0.9, 1.15), isColored('blue')),
  row('R10', 'lateSound', 'avthumb/mp4', 'sound from 1 s on', isHeardFrom(1)),
  row('R10', 'lateSound', 'avthumb/mp4/vcodec/copy/acodec/copy', 'sound from 1 s on', isHeardFrom(1)),
  row('R10', 'lateSound', 'avthumb/mp4/loudnorm/1', 'sound from 1 s on', isHeardFrom(1)),
  row('R10', 'lateSound', 'avthumb/mp4/ss/0.5/t/2', 'sound from 0.5 s on', isHeardFrom(0.5)),
  row('R10', 'lateSound', 'avthumb/flv', 'sound from 1 s on', isHeardFrom(1)),
  row('R10', 'lateSound', 'avthumb/avi', 'sound from 1 s on', isHeardFrom(1)),
  row('R10', 'lateSound', 'avthumb/webm', 'sound from 1 s on', isHeardFrom(1)),
  row('R10', 'lateSound', 'avthumb/ogv', 'sound from 1 s on', isHeardFrom(1)),
  row('R10', 'lateSound', 'avthumb/ts', 'sound from 1 s on', isHeardFrom(1)),
  row('R10', 'lateSound', 'avthumb/wmv', 'sound from 1 s on', isHeardFrom(1)),
  row(
    'R11',
    'overlay',
    'avthumb/webm/vcodec/libvpx-vp9',
    'as transparent',
    measures('opaque left', ({ bytes }) => opacityAt(bench, bytes, 40, 45), 240, 255),
    measures('right', ({ bytes }) => opacityAt(bench, bytes, 120, 45), 0, 16),
  ),
  row('R11', 'overlay', 'avthumb/mp4', 'says so', warns(/transparen/)),
  row(
    'R11',
    'overlay',
    'vframe/png/offset/0',
    'as transparent',
    measures('opacity', async ({ bytes }) => pixelAt(await imageOf(bytes), 120, 45)[3] ?? 255, 0, 16),
  ),
  row('R12', 'printed', 'imageView2/2/w/161', 'the bars', showsBars(12, 0, PRINTED_BARS)),
  row('R12', 'printed', 'imageMogr2/thumbnail/!50p', 'the bars', showsBars(12, 0, PRINTED_BARS)),
  row('R12', 'printed', 'imageMogr2/format/png', 'the bars', showsBars(12, 0, PRINTED_BARS)),
  row('R12', 'printed', 'imageMogr2/blur/3x1/thumbnail/!50p', 'the bars', showsBars(12, 0, PRINTED_BARS)),
  row(
    'R12',
    'printed',
    'imageMogr2/rotate/90',
    'its first bar on top',
    measures('red', async ({ bytes }) => pixelAt(await imageOf(bytes), 90, 20)[0] ?? 0, 150, 220),
  ),
  row('R12', 'printedPlain', 'imageMogr2/thumbnail/!50p', 'the bars', showsBars(40, 0, PRINTED_BARS)),
  row('R12', 'printedPlain', 'imageView2/2/w/161/format/webp', 'the bars', showsBars(40, 0, PRINTED_BARS)),
  row(
    'R13',
    'wideGamut',
    'imageView2/2/w/161',
    'the bars in sRGB',
    showsBars(6),
    says(
      '',
      async ({ bytes }) => ((await sharp(bytes).metadata()).icc === undefined ? 'sRGB' : 'profile'),
      'sRGB',
    ),
    showsNumbers(6),
  ),
  row('R13', 'wideGamut', 'imageMogr2/thumbnail/!50p', 'the bars with their profile', showsBars(6)),
  row('R13', 'wideGamut', 'imageMogr2/blur/3x1/thumbnail/!50p', 'the bars', showsBars(6)),
  row('R13', 'wideGamut', 'imageMogr2/strip/format/png', 'the bars in sRGB', showsBars(6), showsNumbers(6)),
  row('R14', 'bars16', 'imageMogr2/thumbnail/!50p', 'the bars', showsBars(4)),
  row('R14', 'bars16', 'imageMogr2/blur/3x1/thumbnail/!50p', 'the bars', showsBars(4)),
  row('R14', 'bars16', 'imageView2/2/w/161/format/jpg', 'the bars', showsBars(6)),
  row('R14', 'bars16', 'imageView2/2/w/161/format/avif', 'the bars', showsBars(12)),
  row('R14', 'bars16', 'imageView2/2/w/161/format/gif', 'the bars', showsBars(12)),
  row('R14', 'halfGrey16', 'imageMogr2/thumbnail/!50p', 'grey and nothing', isHalf(20, 128)),
  row('R14', 'halfGrey16', 'imageMogr2/blur/1x1/thumbnail/!50p', 'grey and nothing', isHalf(20, 128)),
  row('R14', 'halfGrey16', 'imageView2/2/w/40/format/webp', 'grey and nothing', isHalf(20, 128)),
  row(
    'R14',
    'halfGrey16',
    'imageView2/2/w/40/format/jpg',
    'grey and white',
    measures('left', async ({ bytes }) => pixelAt(await imageOf(bytes), 8, 10)[0] ?? 0, 120, 136),
    measures('right', async ({ bytes }) => pixelAt(await imageOf(bytes), 32, 10)[0] ?? 0, 250, 255),
  ),
  row('R15', 'sticker', 'imageMogr2/thumbnail/!50p', 'moves over nothing', isSticker(0.5)),
  row('R15', 'sticker', 'imageMogr2/format/webp', 'moves over nothing', isSticker(1)),
  row(
    'R15',
    'sticker',
    'imageView2/2/w/40/format/jpg',
    'on white',
    measures('right', async ({ bytes }) => pixelAt(await imageOf(bytes), 32, 10)[1] ?? 0, 250, 255),
  ),
  row('R15', 'sticker', 'avthumb/gif/s/40x', 'moves over nothing', isSticker(0.5)),
  row('R15', 'sticker', 'avthumb/gif/gifHighColor/1', 'moves over nothing', isSticker(1)),
  row('R15', 'sticker', 'avthumb/mp4', 'on white, says so', warns(/transparen/), isWhiteAt(70, 20)),
  row(
    'R15',
    'sticker',
    'avthumb/webm/vcodec/libvpx-vp9',
    'as transparent',
    measures('opaque left', ({ bytes }) => opacityAt(bench, bytes, 10, 20), 240, 255),
    measures('right', ({ bytes }) => opacityAt(bench, bytes, 70, 20), 0, 16),
  ),
];

const joined: readonly Row[] = [
  joining(
    'farTs',
    row(
      'R6',
      'farTs',
      `avconcat/1/format/mp4/${url}`,
      'eight seconds',
      seconds(7.8, 8.4),
      isColored('red', 'lime', 'blue', 'white', 'red'),
    ),
  ),
  joining(
    'farTs',
    row(
      'R6',
      'wrappingTs',
      `avconcat/2/format/mp4/${url}`,
      'eight seconds',
      seconds(7.8, 8.4),
      isColored('red', 'lime', 'blue', 'white', 'red'),
    ),
  ),
  joining(
    'edited',
    row(
      'R8',
      'edited',
      `avconcat/2/format/mp4/${url}`,
      'both from the blue on',
      seconds(2.8, 3.3),
      isColored('blue', 'white', 'white'),
    ),
  ),
  joining(
    'edited',
    row(
      'R8',
      'edited',
      `avconcat/1/format/mp4/${url}`,
      'says so',
      fails(/video 1 hides its first frames by an edit list.*: use mode 2$/),
    ),
  ),
  joining(
    'browser',
    row(
      'R9',
      'browser',
      `avconcat/2/format/mp4/${url}`,
      'eight seconds',
      seconds(7.8, 8.4),
      isColored('red', 'lime', 'blue', 'white', 'red'),
    ),
  ),
  joining(
    'browser',
    row(
      'R9',
      'browser',
      `avconcat/1/format/mkv/${url}`,
      'eight seconds',
      seconds(7.8, 8.4),
      isColored('red', 'lime', 'blue', 'white', 'red'),
    ),
  ),
  joining(
    'lateSound',
    row(
      'R10',
      'lateSound',
      `avconcat/2/format/mp4/${url}`,
      'sound from 1 s on',
      isHeardFrom(1),
      seconds(5.9, 6.2),
    ),
  ),
  joining(
    'doorbell',
    row('R7', 'doorbell', `avconcat/2/format/mp4/${url}`, 'as loud', isAsLoud('doorbell'), seconds(3.9, 4.2)),
  ),
  joining(
    'screen',
    row('M1', 'bars601', `avconcat/2/format/mp4/${url}`, 'the bars of both', showsBars(4), showsBars(4, 8)),
  ),
  joining(
    'barsPng',
    row('M1', 'bars709', `avthumb/mp4/wmImage/${url}/wmGravity/Center`, 'bars as a mark', showsBars(4)),
  ),
  joining(
    'narrow',
    row(
      'M2',
      'pal',
      `avconcat/2/format/mp4/s/160x90/${url}`,
      '160x90, the second between bars',
      isShown(160, 90),
      isBlackAt(
        [
          [80, 2],
          [80, 87],
        ],
        [
          [80, 45],
          [2, 45],
        ],
        3,
      ),
    ),
  ),
  joining(
    'pq',
    row('M6', 'bars709', `avconcat/2/format/mp4/${url}`, 'BT.709 throughout', bt709, showsBars(70, 8)),
  ),
  joining(
    'phone',
    row(
      'M7',
      'phone',
      `avconcat/1/format/ts/${url}`,
      'says so',
      fails(/rotated by 90 degrees, which ts cannot say/),
    ),
  ),
  joining(
    'phone',
    row(
      'M7',
      'phone',
      `avconcat/1/format/mp4/${url}`,
      'rotated by 90',
      measures('rotated by', ({ bytes }) => rotationOf(bench, bytes), 90, 90),
      seconds(1.8, 2.3),
    ),
  ),
  joining(
    'phone',
    row(
      'M13',
      'phone',
      `avconcat/2/format/mp4/${url}`,
      'no place',
      says('', ({ bytes }) => tagsOf(bytes), 'artist, creation_time, title'),
    ),
  ),
  joining(
    'tracks',
    row(
      'M15',
      'tracks',
      `avconcat/1/format/mkv/${url}`,
      'says what is left out',
      warns(/first sound track/, /subtitle/),
      seconds(3.8, 4.2),
    ),
  ),
  joining(
    'cutMp4',
    row('M3', 'cutMp4', `avconcat/2/format/mp4/s/80x/${url}`, 'says so', warns(/ends early: the result has/)),
  ),
];

function tagsOf(bytes: Buffer): string {
  const { tags = {} } = bench.probe(bytes).format as { tags?: Record<string, string> };
  const ofMuxer = /^(?:major_brand|minor_version|compatible_brands|encoder)$/;
  return Object.keys(tags)
    .filter((name) => !ofMuxer.test(name))
    .sort()
    .join(', ');
}

async function avifOf(quality: number): Promise<Buffer> {
  return sharp(await source('photo'))
    .resize({ width: 400, height: 250, fit: 'fill' })
    .avif({ quality, effort: 2 })
    .toBuffer();
}

test.each([...rows, ...joined])('$fault: $source by $command gives $expected', async (row) => {
  const { fault, command, expected, judges } = row;
  const bytes: Buffer[] = [];
  for (const name of [row.source, ...(row.further ?? [])]) bytes.push(await source(name));
  const outcome = await bench.run(command, bytes).catch((error: unknown) => {
    if (error instanceof ProcessingError) return error;
    throw error;
  });
  const verdicts: Verdict[] = [];
  for (const judge of judges) verdicts.push(await judge(outcome));
  const seen = verdicts.map((verdict) => verdict.seen).join('; ');
  const isRight = verdicts.every((verdict) => verdict.isRight);
  const names = [row.source, ...(row.further ?? [])].join(' + ');
  results.push([
    isRight ? 'ok' : 'WRONG',
    fault,
    names,
    command.replaceAll(LONG_VALUES, '…'),
    expected,
    seen,
  ]);
  expect({ seen, isRight }).toEqual({ seen, isRight: true });
});
