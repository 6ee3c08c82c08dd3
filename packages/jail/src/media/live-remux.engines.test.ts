// @module-tag sandbox
import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LiveRemuxOptions } from './live-remux.ts';
import { type MediaBench, openMediaBench } from './media.testing.ts';
import { cameraStream, framesOf } from './testing-camera.ts';

let bench: MediaBench;
beforeAll(async () => {
  bench = await openMediaBench();
});
afterAll(() => bench.close());

const SOURCE = ['-f', 'lavfi', '-i', 'testsrc=size=160x120:rate=10', '-t', '3', '-pix_fmt', 'yuv420p'];
const SOUND = ['-f', 'lavfi', '-i', 'sine=440:sample_rate=8000', '-t', '3'];

function programStream(): Buffer {
  const video = bench.make('a.h264', [
    ...SOURCE,
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-tune',
    'zerolatency',
    '-g',
    '10',
    '-bsf:v',
    'h264_metadata=aud=insert',
    '-f',
    'h264',
  ]);
  const sound = bench.make('a.al', [...SOUND, '-c:a', 'pcm_alaw', '-f', 'alaw']);
  return cameraStream({ frames: framesOf(video), rate: 10, sound });
}

/** Where units of this kind begin. */
function startsOf(stream: Buffer, kind: number): number[] {
  const start = Buffer.of(0, 0, 1, kind);
  const found: number[] = [];
  for (let at = stream.indexOf(start); at >= 0; at = stream.indexOf(start, at + 1)) found.push(at);
  return found;
}

async function remuxed(bytes: Buffer, options?: LiveRemuxOptions) {
  const remux = bench.engine.remuxLive(options);
  const made = buffer(remux.stdout);
  remux.stdin.end(bytes);
  return { ...(await remux.ended), bytes: await made };
}

describe('a program stream', () => {
  test('of a camera with G.711 becomes FLV with its video as it is and its sound as AAC', async () => {
    const { bytes } = await remuxed(programStream());
    const { video, audio, duration } = bench.probe(bytes, 'video.flv');
    expect(video).toMatchObject({ codec_name: 'h264', width: 160 });
    expect(audio).toMatchObject({ codec_name: 'aac' });
    expect(duration).toBeGreaterThan(2.5);
    // A tone of 440 Hz is as loud as it was: G.711 read as anything else would be noise.
    const loudness = Math.max(...bench.samples(bytes).map(Math.abs));
    expect(loudness).toBeGreaterThan(3000);
    expect(loudness).toBeLessThan(6000);
    const mute = await remuxed(programStream(), { isMute: true });
    expect(bench.probe(mute.bytes, 'mute.flv')).toMatchObject({ audio: {}, video: { codec_name: 'h264' } });
  });

  test('that is damaged all over still gives video', async () => {
    const whole = programStream();
    const damaged = Buffer.concat(
      Array.from({ length: Math.ceil(whole.length / 1300) }, (_, at) =>
        at % 20 === 19 ? randomBytes(40) : whole.subarray(at * 1300, (at + 1) * 1300),
      ),
    );
    const { bytes } = await remuxed(damaged);
    expect(bench.probe(bytes, 'damaged.flv').video).toMatchObject({ codec_name: 'h264', width: 160 });
  });

  test('whose lengths lie ends with its video or a word, one way after the other', async () => {
    const whole = programStream();
    const starts = [0xba, 0xbc, 0xc0, 0xe0].flatMap((kind) => startsOf(whole, kind));
    const lies = [0, 1, 3, 0x7fff, 0xffff];
    for (const [turn, lie] of [...lies, ...lies].entries()) {
      const bytes = Buffer.from(whole);
      // All of them, or every third.
      for (const [at, start] of starts.entries())
        if (turn < lies.length || at % 3 === 0) bytes.writeUInt16BE(lie, start + 4);
      const { reason, bytes: made } = await remuxed(bytes);
      if (made.length === 0) expect(reason).toMatch(/video/);
      else expect(bench.probe(made, 'lies.flv').video).toMatchObject({ codec_name: 'h264' });
    }
  });

  test('of H.265 is refused by that name, and encoded where that is wanted', async () => {
    const bytes = bench.make('b.mpg', [
      ...SOURCE,
      '-c:v',
      'libx265',
      '-preset',
      'ultrafast',
      '-x265-params',
      'keyint=10:log-level=none',
      '-f',
      'mpeg',
    ]);
    const refused = await remuxed(bytes);
    expect(refused).toMatchObject({
      isH265: true,
      reason: 'its video is not H.264',
      bytes: Buffer.alloc(0),
    });
    const encoded = await remuxed(bytes, { isEncoding: true });
    expect(bench.probe(encoded.bytes, 'b.flv').video).toMatchObject({ codec_name: 'h264', width: 160 });
  });

  test('of anything at all ends with a word, and can be ended', async () => {
    const { isH265, reason, bytes } = await remuxed(randomBytes(200_000));
    expect({ isH265, bytes: bytes.length }).toEqual({ isH265: false, bytes: 0 });
    expect(reason).toMatch(/^(?:nothing in it could be read as video|its video could not be passed on)$/);
    const remux = bench.engine.remuxLive();
    remux.stdout.resume();
    remux.end();
    expect(await remux.ended).toMatchObject({ isH265: false, reason: 'it was ended' });
  });
});
