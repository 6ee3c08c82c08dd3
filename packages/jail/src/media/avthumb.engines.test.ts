// @module-tag sandbox
import { encodeBase64Text } from '@millpond/protocol';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { colorAt, colorVideo, type MediaBench, openMediaBench } from './media.testing.ts';

let bench: MediaBench;
let video: Buffer;
let song: Buffer;

beforeAll(async () => {
  bench = await openMediaBench();
  video = bench.make('video.mp4', [...colorVideo(4), '-metadata', 'title=Mill', '-metadata', 'comment=pond']);
  song = bench.make('song.wav', ['-f', 'lavfi', '-i', 'sine=f=440:d=2:sample_rate=44100', '-ac', '2']);
});
afterAll(() => bench.close());

const url = encodeBase64Text('http://pond.example/x');

describe('every format holds what it should', () => {
  test.each([
    ['mp4', 'mov,mp4,m4a,3gp,3g2,mj2', 'h264', 'aac', 'video/mp4'],
    ['mov', 'mov,mp4,m4a,3gp,3g2,mj2', 'h264', 'aac', 'video/quicktime'],
    ['mkv', 'matroska,webm', 'h264', 'aac', 'video/x-matroska'],
    ['flv', 'flv', 'h264', 'aac', 'video/x-flv'],
    ['flash', 'flv', 'flv1', 'mp3', 'video/x-flv'],
    ['avi', 'avi', 'h264', 'mp3', 'video/x-msvideo'],
    ['webm', 'matroska,webm', 'vp8', 'vorbis', 'video/webm'],
    ['ogv', 'ogg', 'theora', 'vorbis', 'video/ogg'],
    ['3gp', 'mov,mp4,m4a,3gp,3g2,mj2', 'h264', 'aac', 'video/3gpp'],
    ['ts', 'mpegts', 'h264', 'aac', 'video/mp2t'],
    ['wmv', 'asf', 'wmv2', 'wmav2', 'video/x-ms-wmv'],
    ['gif', 'gif', 'gif', undefined, 'image/gif'],
    ['mp3', 'mp3', undefined, 'mp3', 'audio/mpeg'],
    ['m4a', 'mov,mp4,m4a,3gp,3g2,mj2', undefined, 'aac', 'audio/mp4'],
    ['aac', 'aac', undefined, 'aac', 'audio/aac'],
    ['ogg', 'ogg', undefined, 'vorbis', 'audio/ogg'],
    ['opus', 'ogg', undefined, 'opus', 'audio/opus'],
    ['flac', 'flac', undefined, 'flac', 'audio/flac'],
    ['wav', 'wav', undefined, 'pcm_s16le', 'audio/wav'],
    ['wma', 'asf', undefined, 'wmav2', 'audio/x-ms-wma'],
  ])('avthumb/%s', async (format, container, videoCodec, audioCodec, mimeType) => {
    const mediaResult = await bench.run(`avthumb/${format}/t/1`, [video]);
    const seen = bench.probe(mediaResult.bytes);
    expect(mediaResult.mimeType).toBe(mimeType);
    expect(seen.format.format_name).toBe(container);
    expect(seen.video.codec_name).toBe(videoCodec);
    expect(seen.audio.codec_name).toBe(audioCodec);
    expect(seen.duration).toBeGreaterThan(0.8);
    expect(seen.duration).toBeLessThan(1.4);
  });
});

describe('video', () => {
  test('codecs that are asked for', async () => {
    const codecs = [
      ['mp4/vcodec/libx265', 'hevc'],
      ['webm/vcodec/libvpx-vp9/acodec/libopus', 'vp9'],
      ['avi/vcodec/libxvid', 'mpeg4'],
    ] as const;
    for (const [command, codec] of codecs) {
      const mediaResult = await bench.run(`avthumb/${command}/t/0.5`, [video]);
      expect(bench.probe(mediaResult.bytes).video.codec_name).toBe(codec);
    }
  });

  test('copy leaves the streams as they are, to the packet', async () => {
    const mediaResult = await bench.run('avthumb/mkv/vcodec/copy/acodec/copy', [video]);
    const seen = bench.probe(mediaResult.bytes);
    expect(seen.video).toMatchObject({ codec_name: 'h264', width: 160 });
    expect(bench.pixels(mediaResult.bytes, '160x120').equals(bench.pixels(video, '160x120'))).toBe(true);
  });

  test('frame rate, profile, level, key frames, references', async () => {
    const command = 'avthumb/mp4/r/5/h264Profile/baseline/h264Level/3/gop/5/ref/1/crf/30';
    const seen = bench.probe((await bench.run(command, [video])).bytes);
    expect(seen.video).toMatchObject({
      avg_frame_rate: '5/1',
      profile: 'Constrained Baseline',
      level: 30,
      nb_frames: '20',
    });
    // Newer versions of ffprobe no longer say it.
    expect(seen.video.refs ?? 1).toBe(1);
  });

  test('a rate is not exceeded, and never above that of the source', async () => {
    const noise = ['-f', 'lavfi', '-i', 'testsrc2=s=160x120:r=10:d=4', '-vf', 'noise=alls=50:allf=t'];
    const rich = bench.make('rich.mp4', [
      ...noise,
      '-c:v',
      'libx264',
      '-preset',
      'ultrafast',
      '-b:v',
      '400k',
      '-pix_fmt',
      'yuv420p',
    ]);
    const rate = async (command: string): Promise<number> =>
      Number(bench.probe((await bench.run(command, [rich])).bytes).video.bit_rate);
    expect(await rate('avthumb/mp4/vb/100k')).toBeLessThan(160_000);
    const source = Number(bench.probe(rich).video.bit_rate);
    expect(await rate('avthumb/mp4/vb/20m')).toBeLessThan(source * 1.3);
  });

  test.each([
    ['s/80x60', 80, 60],
    ['s/80x', 80, 60],
    ['s/x30', 40, 30],
    ['s/100x100', 100, 100],
    ['s/120x120/autoscale/1', 120, 90],
    ['s/320x240>', 160, 120],
    ['s/80x240>', 80, 240],
    ['s/320x240<', 320, 240],
    ['s/80x240<', 160, 120],
    ['rotate/90', 120, 160],
    ['padW/200/padH/160', 200, 160],
    ['s/81x61', 80, 60],
  ])('avthumb/mp4/%s is %dx%d', async (parameters, width, height) => {
    const mediaResult = await bench.run(`avthumb/mp4/t/0.3/${parameters}`, [video]);
    expect(bench.probe(mediaResult.bytes).video).toMatchObject({ width, height });
  });

  test('padding stands where it should', async () => {
    const mediaResult = await bench.run('avthumb/mp4/t/0.3/padW/200/padH/160/padVideoX/0/padVideoY/0', [
      video,
    ]);
    const pixels = bench.pixels(mediaResult.bytes, '200x160', ['-frames:v', '1']);
    expect([colorAt(pixels, 0), colorAt(pixels, 199), colorAt(pixels, 159 * 200)]).toEqual([
      'red',
      'black',
      'black',
    ]);
  });

  test('turning and mirroring move the pixels; a turn can stay a remark', async () => {
    const corner = ['-f', 'lavfi', '-i', 'color=red:s=64x64:r=5:d=1', '-vf', 'drawbox=0:0:32:32:blue:fill'];
    const source = bench.make('corner.mp4', [...corner, '-c:v', 'libx264', '-pix_fmt', 'yuv420p']);
    const corners = (bytes: Buffer, more: string[] = []): string[] => {
      const pixels = bench.pixels(bytes, '64x64', ['-frames:v', '1', ...more]);
      return [8 * 64 + 8, 8 * 64 + 56, 56 * 64 + 8, 56 * 64 + 56].map((pixel) => colorAt(pixels, pixel));
    };
    const run = async (parameters: string, from = source) =>
      (await bench.run(`avthumb/mp4/${parameters}`, [from])).bytes;
    expect(corners(source)).toEqual(['blue', 'red', 'red', 'red']);
    expect(corners(await run('rotate/90'))).toEqual(['red', 'blue', 'red', 'red']);
    expect(corners(await run('rotate/180'))).toEqual(['red', 'red', 'red', 'blue']);
    expect(corners(await run('rotate/270'))).toEqual(['red', 'red', 'blue', 'red']);
    expect(corners(await run('flip/h'))).toEqual(['red', 'blue', 'red', 'red']);
    expect(corners(await run('flip/vflip'))).toEqual(['red', 'red', 'blue', 'red']);
    const told = bench.turned(source, 180);
    expect(corners(await run('rotate/auto', told))).toEqual(['red', 'red', 'red', 'blue']);
    const kept = await run('rotateinfo/1', told);
    expect(JSON.stringify(bench.probe(kept).video)).toContain('Display Matrix');
    expect(corners(kept)).toEqual(['red', 'red', 'red', 'blue']);
  });

  test('proportions, colours, deinterlacing', async () => {
    const mediaResult = await bench.run('avthumb/mp4/t/0.5/aspect/2:1/colorspace/bt709/deinterlace/1', [
      video,
    ]);
    expect(bench.probe(mediaResult.bytes).video).toMatchObject({
      display_aspect_ratio: '2:1',
      color_space: 'bt709',
      color_primaries: 'bt709',
    });
    expect(colorAt(bench.pixels(mediaResult.bytes, '16x12', ['-frames:v', '1']), 50)).toBe('red');
  });

  test('a part of the video, by ss and t', async () => {
    const mediaResult = await bench.run('avthumb/mp4/ss/1/t/2', [video]);
    expect(bench.probe(mediaResult.bytes).duration).toBeCloseTo(2, 0);
    const frames = bench.pixels(mediaResult.bytes, '2x2');
    expect(colorAt(frames, 4 * 5)).toBe('lime');
    expect(colorAt(frames, 4 * 15)).toBe('blue');
  });

  test('key frames at the places asked for', async () => {
    const mediaResult = await bench.run('avthumb/mkv/keyFramePosition/0.5,2.2', [video]);
    // Sound begins a moment before the video, and this container has no way to say so.
    const keys = bench.keyFrames(mediaResult.bytes).map((second) => Math.floor(second * 10) / 10);
    expect(keys).toEqual(expect.arrayContaining([0.5, 2.2]));
  });

  test('a gif with a palette of its own', async () => {
    const mediaResult = await bench.run('avthumb/gif/gifHighColor/1/s/80x/r/5', [video]);
    const { width, pages } = await sharp(mediaResult.bytes).metadata();
    expect([width, pages]).toEqual([80, 20]);
    expect(colorAt(await sharp(mediaResult.bytes, { page: 7 }).removeAlpha().raw().toBuffer(), 500)).toBe(
      'lime',
    );
  });
});

describe('sound', () => {
  test('channels, samples, rates and quality', async () => {
    const mp3 = bench.probe((await bench.run('avthumb/mp3/ab/64k/ar/22050/ac/1', [song])).bytes);
    expect(mp3.audio).toMatchObject({
      codec_name: 'mp3',
      sample_rate: '22050',
      channels: 1,
      bit_rate: '64000',
    });
    const defaults = bench.probe((await bench.run('avthumb/mp3', [song])).bytes);
    expect(defaults.audio).toMatchObject({ sample_rate: '44100', bit_rate: '128000' });
    const best = await bench.run('avthumb/mp3/aq/0', [song]);
    const worst = await bench.run('avthumb/mp3/aq/9', [song]);
    expect(best.bytes.length).toBeGreaterThan(worst.bytes.length);
    const bare = await bench.run('avthumb/mp3/writeXing/0', [song]);
    expect(bare.bytes.includes('Info') || bare.bytes.includes('Xing')).toBe(false);
    const level = bench.probe((await bench.run('avthumb/flac/compressLevel/0', [song])).bytes);
    expect(level.audio.codec_name).toBe('flac');
  });

  test('a rate above that of the source is brought down to it', async () => {
    const poor = bench.make('poor.mp3', ['-f', 'lavfi', '-i', 'sine=d=2', '-b:a', '32k']);
    const mediaResult = await bench.run('avthumb/mp3/ab/256k', [poor]);
    expect(Number(bench.probe(mediaResult.bytes).audio.bit_rate)).toBeLessThanOrEqual(40_000);
  });

  test('louder and quieter', async () => {
    const peak = (bytes: Buffer): number => {
      const samples = bench.samples(bytes);
      return samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
    };
    const quiet = peak((await bench.run('avthumb/wav/volume/0.5', [song])).bytes);
    expect(quiet / peak(song)).toBeCloseTo(0.5, 1);
    const normal = bench.probe((await bench.run('avthumb/wav/loudnorm/1', [song])).bytes);
    expect(normal.audio.sample_rate).toBe('44100');
  });

  test('no video or no sound, where that is asked for', async () => {
    expect(bench.probe((await bench.run('avthumb/mp4/vn/1/t/1', [video])).bytes).streams).toHaveLength(1);
    expect(bench.probe((await bench.run('avthumb/mp4/an/1/t/1', [video])).bytes).audio).toEqual({});
    const failed = await bench.failure('avthumb/gif', [song]);
    expect(failed.message).toBe('execute fop cmd failed: not a valid video');
  });

  test('a song becomes an mp4 that has only sound', async () => {
    expect(bench.probe((await bench.run('avthumb/mp4', [song])).bytes).streams).toHaveLength(1);
  });
});

describe('the file', () => {
  test('stripmeta drops what the file says about itself', async () => {
    const kept = bench.probe((await bench.run('avthumb/mp4/t/0.5', [video])).bytes);
    const stripped = bench.probe((await bench.run('avthumb/mp4/t/0.5/stripmeta/1', [video])).bytes);
    expect(JSON.stringify(kept.format.tags)).toContain('Mill');
    expect(JSON.stringify(stripped.format.tags)).not.toMatch(/Mill|pond|Lavf/);
  });

  test('the index of an mp4 stands in front', async () => {
    const { bytes } = await bench.run('avthumb/mp4/t/0.5', [video]);
    expect(bytes.indexOf('moov')).toBeLessThan(bytes.indexOf('mdat'));
  });

  test('subtitles are burnt in, or become a stream', async () => {
    const subtitle = Buffer.from('1\n00:00:00,000 --> 00:00:04,000\n█████████\n');
    const burnt = await bench.run(`avthumb/mp4/subtitle/${url}`, [video, subtitle]);
    const changed = bench.pixels(burnt.bytes, '160x120', ['-frames:v', '1']);
    const whole = [...Array(160 * 120).keys()].map((pixel) => colorAt(changed, pixel));
    expect(new Set(whole).size).toBeGreaterThan(1);
    const streamed = bench.probe(
      (await bench.run(`avthumb/mp4/subtitle/${url}/scodec/mov_text`, [video, subtitle])).bytes,
    );
    expect(streamed.streams.map(({ codec_name }) => codec_name)).toEqual(['h264', 'aac', 'mov_text']);
    const failed = await bench.failure(`avthumb/mp4/subtitle/${url}`, [
      video,
      Buffer.from('#EXTM3U\nfile:///etc/passwd\n'),
    ]);
    expect(failed.message).toBe('the subtitle is neither srt nor ass nor vtt');
  });
});

describe('watermarks', () => {
  const W = 160;
  async function frame(
    parameters: string,
    sources: Buffer[],
    second = 0,
  ): Promise<(x: number, y: number) => string> {
    const { bytes } = await bench.run(`avthumb/mp4/t/2/${parameters}`, [video, ...sources]);
    const pixels = bench.pixels(bytes, '160x120', ['-ss', String(second), '-frames:v', '1']);
    return (x, y) => colorAt(pixels, y * W + x);
  }
  const logo = (): Promise<Buffer> =>
    sharp({ create: { width: 20, height: 20, channels: 3, background: '#0000ff' } })
      .png()
      .toBuffer();

  test('an image stands in its corner, moved and scaled as asked', async () => {
    const mark = await logo();
    const northEast = await frame(`wmImage/${url}`, [mark]);
    expect([northEast(155, 5), northEast(130, 5), northEast(5, 5)]).toEqual(['blue', 'red', 'red']);
    const southWest = await frame(`wmImage/${url}/wmGravity/SouthWest/wmOffsetX/30/wmOffsetY/-10`, [mark]);
    expect([southWest(40, 100), southWest(5, 115), southWest(40, 115)]).toEqual(['blue', 'red', 'red']);
    const scaled = await frame(`wmImage/${url}/wmGravity/Center/wmScale/0.5`, [mark]);
    expect([scaled(80, 60), scaled(80, 34), scaled(80, 26), scaled(54, 60), scaled(46, 60)]).toEqual([
      'blue',
      'blue',
      'red',
      'blue',
      'red',
    ]);
  });

  test('only for its time', async () => {
    const mark = await logo();
    const parameters = `wmImage/${url}/wmPos/1/wmDuration/0.5`;
    expect((await frame(parameters, [mark], 0.5))(155, 5)).toBe('red');
    expect((await frame(parameters, [mark], 1.2))(155, 5)).toBe('blue');
    expect((await frame(parameters, [mark], 1.8))(155, 5)).toBe('lime');
  });

  test('a video over a video', async () => {
    const small = bench.make('small.mp4', [
      '-f',
      'lavfi',
      '-i',
      'color=blue:s=40x40:r=5:d=1',
      '-c:v',
      'libx264',
      '-pix_fmt',
      'yuv420p',
    ]);
    const at = await frame(`wmVideo/${url}/wmGravity/NorthWest`, [small], 0.5);
    expect([at(10, 10), at(60, 60)]).toEqual(['blue', 'red']);
  });

  test('a text is drawn, whatever is in it', async () => {
    const text = encodeBase64Text("█%{pts}';[x];movie=/etc/passwd,:\\█");
    const color = encodeBase64Text('#0000ff');
    const parameters = `wmText/${text}/wmFontColor/${color}/wmFontSize/400/wmGravityText/West/wmFont/${encodeBase64Text('DejaVu Sans Mono')}`;
    const at = await frame(parameters, []);
    expect(at(5, 60)).toBe('blue');
    expect(at(5, 10)).toBe('red');
  });
});

test('progress rises to 1, and only then is the result there', async () => {
  const told: number[] = [];
  await bench.run('avthumb/mp4/r/60', [video], { onProgress: (fraction) => told.push(fraction) });
  expect(told.at(-1)).toBe(1);
  expect(told).toEqual(told.toSorted((one, other) => one - other));
  expect(told.filter((fraction) => fraction === 1)).toHaveLength(1);
});

test('a command that is cancelled ends at once and leaves nothing', async () => {
  const long = bench.make('long.mp4', [
    '-f',
    'lavfi',
    '-i',
    'testsrc2=s=320x180:r=25:d=20',
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-pix_fmt',
    'yuv420p',
  ]);
  const cancel = new AbortController();
  const running = bench.failure('avthumb/mp4/s/1920x1080/r/60', [long], {
    signal: cancel.signal,
    onProgress: () => cancel.abort(),
  });
  expect(await running).toMatchObject({ reason: 'aborted' });
});
