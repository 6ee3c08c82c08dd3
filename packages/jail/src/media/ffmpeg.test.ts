import { expect, test } from 'vitest';
import { ProcessingError, sanitizeStderr } from './failure.ts';
import { followProgress, throwIfFailed } from './ffmpeg.ts';
import { mediaLimits } from './limits.ts';

function reasonOf(run: Partial<Parameters<typeof throwIfFailed>[0]>, seconds = 1): string {
  const whole = { outcome: 'exited' as const, code: 0, signal: undefined, stderr: '', ...run };
  try {
    throwIfFailed(whole, mediaLimits.vframe, seconds);
    return 'good';
  } catch (error) {
    if (!(error instanceof ProcessingError)) throw error;
    return `${error.reason}: ${error.message}`;
  }
}

test('what the end of an engine means', () => {
  expect(reasonOf({})).toBe('good');
  expect(reasonOf({ code: 1, stderr: 'a\n[mov @ 0x55d1] moov atom not found\n' })).toBe(
    'source: execute fop cmd failed: the source is incomplete: its index (moov) is missing',
  );
  expect(reasonOf({ code: 1, stderr: 'x: File too large' })).toBe('limit: the result is too large');
  expect(reasonOf({ code: 1, stderr: 'x: No space left on device' })).toBe('machine: no space left');
  expect(reasonOf({ code: 123 })).toContain('limit');
  expect(reasonOf({ outcome: 'timeout' })).toBe('limit: it took too long');
  expect(reasonOf({ outcome: 'memory' })).toBe('limit: it took too much memory');
  expect(reasonOf({ outcome: 'aborted' })).toContain('aborted');
  expect(reasonOf({ outcome: 'killed', signal: 'SIGSEGV' })).toBe('source: the engine crashed (SIGSEGV)');
  expect(reasonOf({ outcome: 'killed', signal: 'SIGKILL' })).toBe('machine: the engine was killed');
  expect(reasonOf({ outcome: 'killed', signal: 'SIGKILL' }, 1e6)).toContain('limit');
});

test('no path of ours is in the words of an engine, and no end of them', () => {
  expect(sanitizeStderr('file:/in/0: bad\n/job/out.mp4: worse\u0007\n')).toBe('0: bad\nout.mp4: worse');
  expect(sanitizeStderr('x'.repeat(100_000))).toHaveLength(2000);
});

test('progress only goes on, whatever the engine writes', () => {
  const seen: number[] = [];
  const follow = followProgress((microseconds) => seen.push(microseconds));
  for (const piece of [
    'out_time_us=N/A\nout_time_us=-5\nout_ti',
    'me_us=100\nprogress=continue\n',
    'out_time_us=50\nout_time_us=300\n',
  ])
    follow(Buffer.from(piece));
  follow(Buffer.from('x'.repeat(1_000_000)));
  follow(Buffer.from('\nout_time_us=400\n'));
  expect(seen).toEqual([100, 300, 400]);
});
