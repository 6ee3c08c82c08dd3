// @module-tag sandbox
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { joined, without } from './commands/sparse-frame.ts';
import { frameRanges } from './mp4-samples.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'millpond-samples-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function video(...more: readonly string[]): { bytes: Buffer; movie: Buffer } {
  const file = path.join(folder, `${more.length}.mp4`);
  const args = ['-v', 'error', '-y', '-f', 'lavfi', '-i', 'testsrc2=s=64x64:r=25:d=8', '-c:v', 'libx264'];
  execFileSync('/usr/bin/ffmpeg', [...args, '-g', '25', '-bf', '2', '-pix_fmt', 'yuv420p', ...more, file]);
  const bytes = readFileSync(file);
  const at = bytes.indexOf('moov', 0, 'latin1') - 4;
  return { bytes, movie: bytes.subarray(at, at + bytes.readUInt32BE(at)) };
}

const { bytes, movie } = video();

test('the samples for a point of time begin at the key frame before it and end a little behind it', () => {
  const early = frameRanges(movie, 0.5);
  const late = frameRanges(movie, 6.5);
  expect(early?.samples[0]?.offset).toBe(early?.first);
  // A key frame each second: 12 frames to the middle of one, and 24 behind it.
  expect(late?.samples.length).toBeGreaterThanOrEqual(30);
  expect(late?.samples.length).toBeLessThan(60);
  for (const { offset, length } of late?.samples ?? [])
    expect(offset + length).toBeLessThanOrEqual(bytes.length);
});

test('beyond the end, and of a video in fragments, there are none', () => {
  expect(frameRanges(movie, 100)).toBeUndefined();
  const fragmented = video('-movflags', '+frag_keyframe+empty_moov+default_base_moof');
  expect(frameRanges(fragmented.movie, 1)).toBeUndefined();
});

test('a broken index never throws, and asks for nothing without end', () => {
  const change = fc.tuple(
    fc.nat(movie.length - 5),
    fc.constantFrom(0, 1, 0xff, 0xffff, 0x7fffffff, 0xffffffff),
  );
  fc.assert(
    fc.property(
      fc.array(change, { maxLength: 6 }),
      fc.double({ min: 0, max: 20, noNaN: true }),
      (changes, seconds) => {
        const broken = Buffer.from(movie);
        for (const [at, value] of changes) broken.writeUInt32BE(value, at);
        const found = frameRanges(broken, seconds);
        expect(found?.samples.length ?? 0).toBeLessThan(movie.length);
      },
    ),
    { numRuns: 500 },
  );
});

test('joined ranges cover all of theirs, in order, with real holes between', () => {
  const range = fc.record({ offset: fc.nat(1_000_000), length: fc.nat(200_000) });
  fc.assert(
    fc.property(fc.array(range, { maxLength: 20 }), fc.integer({ min: 1, max: 900_000 }), (ranges, size) => {
      const result = joined(ranges, size);
      for (const [index, { offset, length }] of result.entries()) {
        expect(offset + length).toBeLessThanOrEqual(size);
        expect(offset).toBeGreaterThan((result[index - 1]?.offset ?? -1) + (result[index - 1]?.length ?? 0));
      }
      for (const { offset, length } of ranges) {
        const end = Math.min(size, offset + length);
        if (end <= offset) continue;
        expect(result.some((one) => one.offset <= offset && one.offset + one.length >= end)).toBe(true);
      }
    }),
  );
  expect(without({ offset: 0, length: 10 }, { offset: 3, length: 4 })).toEqual([
    { offset: 0, length: 3 },
    { offset: 7, length: 3 },
  ]);
  expect(without({ offset: 5, length: 5 }, { offset: 0, length: 20 })).toEqual([]);
  expect(without({ offset: 0, length: 3 }, { offset: 10, length: 2 })).toEqual([{ offset: 0, length: 3 }]);
});
