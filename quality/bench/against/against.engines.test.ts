/** The command as it is run, in short: this tree beside itself. What comes out is noise, and must be whole. */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const ROOT = path.join(import.meta.dirname, '../../..');
const run = promisify(execFile);
const bench = (...args: string[]) => run(process.execPath, ['quality/bench/main.ts', ...args], { cwd: ROOT });

test('two servers of one tree are loaded in turn, and the result is one line of JSON', {
  tags: ['ceph'],
}, async () => {
  const args = ['stat', '--against', '.', '--rounds', '2', '--seconds', '0.1', '--rows', '20', '--json'];
  const { stdout, stderr } = await bench(...args);
  expect(stdout.trimEnd().split('\n')).toHaveLength(1);
  const { ours, other, results } = JSON.parse(stdout);
  expect(other).toBe(ours);
  expect(results).toMatchObject([{ name: 'stat', ratio: { ratio: expect.any(Number) } }]);
  const [{ ratio, rounds, ...stat }] = results;
  expect(rounds).toHaveLength(2);
  expect(ratio.low).toBeLessThanOrEqual(ratio.ratio);
  expect(ratio.high).toBeGreaterThanOrEqual(ratio.ratio);
  expect(Math.min(stat.ours.perSecond, stat.other.perSecond)).toBeGreaterThan(0);
  expect(stderr).toContain('round 2 of 2');
});

test('a folder that is no checkout is refused before anything is started', async () => {
  const failed = await bench('--against', '/nowhere').catch((error: unknown) => error);
  expect(failed).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('npm ci') });
});
