// @module-tag sandbox
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { contentOf } from '../inspect/inspect.testing.ts';
import type { Sandbox } from '../sandbox/index.ts';
import { openMediaEngine } from './engine.ts';
import { type MediaBench, openMediaBench } from './media.testing.ts';

const MEBIBYTE = 1024 * 1024;
const FRAMES = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'];

let bench: MediaBench;

beforeAll(async () => {
  bench = await openMediaBench();
});
afterAll(() => bench.close());

/** The recording, and the memory that each program that worked on it was allowed. */
async function remuxed(recording: Buffer): Promise<{ bytes: Buffer; allowed: number[] }> {
  const allowed: number[] = [];
  const noted: Sandbox = {
    ...bench.sandbox,
    start: (options) => {
      allowed.push(options.limits.memoryBytes);
      return bench.sandbox.start(options);
    },
    run: (options) => {
      allowed.push(options.limits.memoryBytes);
      return bench.sandbox.run(options);
    },
  };
  const engine = openMediaEngine({ sandbox: noted, imageProcesses: 1 });
  try {
    const signal = new AbortController().signal;
    const bytes = await engine.remux(contentOf(recording), signal, async ({ file }) =>
      readFileSync(file.path),
    );
    return { bytes, allowed };
  } finally {
    await engine.close();
  }
}

test('a recording becomes an MP4 of the same frames, in 512 MiB', async () => {
  const input = ['-f', 'lavfi', '-i', 'testsrc2=s=160x90:r=10:d=2', '-f', 'lavfi', '-i', 'sine=d=2'];
  const recording = bench.make('recording.flv', [...input, ...FRAMES, '-g', '10', '-c:a', 'aac']);
  const { bytes, allowed } = await remuxed(recording);
  expect(bench.pixels(bytes, '160x90').equals(bench.pixels(recording, '160x90'))).toBe(true);
  expect(bench.probe(bytes).audio.codec_name).toBe('aac');
  expect(allowed.length).toBeGreaterThan(0);
  expect(Math.max(...allowed)).toBe(512 * MEBIBYTE);
});

test('a recording without a second key frame does not grow in memory: it is written in pieces', async () => {
  const noise = ['-f', 'lavfi', '-i', 'color=gray:s=640x360:r=25:d=2,noise=alls=100:allf=t'];
  const recording = bench.make('endless.flv', [...noise, ...FRAMES, '-qp', '1', '-g', '9999']);
  expect(recording.length).toBeGreaterThan(20 * MEBIBYTE);
  const { bytes } = await remuxed(recording);
  expect(bytes.toString('latin1').split('moof').length - 1).toBeGreaterThan(1);
  expect(bench.probe(bytes).duration).toBeCloseTo(2, 0);
});
