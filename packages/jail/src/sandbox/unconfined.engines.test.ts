// @module-tag sandbox
/** What is left of the sandbox's promises where a developer's machine has none. */
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Sandbox } from './assemble.ts';
import { SandboxSetupError } from './faults.ts';
import { type JobLimits, probeLimits } from './limits.ts';
import { linuxProcesses, psProcesses } from './process-table.ts';
import type { RunResult } from './run.ts';
import { countMarked, newMark, temporaryRoot } from './sandbox.testing.ts';
import { openUnconfined } from './unconfined.ts';
import { UnconfinedPermit } from './unconfined-permit.ts';

const root = temporaryRoot();
let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await openUnconfined(UnconfinedPermit.make(), root);
});
afterAll(async () => {
  await sandbox.close();
  expect(readdirSync(root)).toEqual([]);
  rmSync(root, { recursive: true });
});

function run(program: string, args: string[], limits: Partial<JobLimits> = {}): Promise<RunResult> {
  return sandbox.withJob((jobDir) =>
    sandbox.run({ program, args, jobDir, limits: { ...probeLimits, wallMs: 60_000, ...limits } }),
  );
}
const perl = (script: string, limits: Partial<JobLimits> = {}) =>
  run('/usr/bin/perl', ['-e', script], limits);

test('a program has its own folder, which is gone afterwards, and nothing of our environment', async () => {
  process.env.MILLPOND_UNCONFINED_SECRET = 'secret';
  let seen = '';
  await sandbox.withJob(async (jobDir) => {
    seen = jobDir;
    const script = 'open F, ">out"; print F "made"; print join ",", sort keys %ENV; exit 3';
    const result = await sandbox.run({
      program: '/usr/bin/perl',
      args: ['-e', script],
      jobDir,
      limits: probeLimits,
    });
    expect(result).toMatchObject({ outcome: 'exited', code: 3, signal: undefined });
    expect(result.stdout.toString()).toBe('HOME,LANG,PATH,TMPDIR');
    expect(readdirSync(jobDir)).toEqual(['out']);
  });
  delete process.env.MILLPOND_UNCONFINED_SECRET;
  expect(existsSync(seen)).toBe(false);
});

test.runIf(process.getuid?.() === 0)('root does not open users’ content as root', async () => {
  expect((await perl('print "$<:$>:$("')).stdout.toString()).toMatch(/^65534:65534:65534(?: 65534)?$/);
});

test('files are named from the folder that a program runs in, whatever the folders above are called', async () => {
  await sandbox.withJob((inputs) =>
    sandbox.withJob(async (jobDir) => {
      writeFileSync(path.join(inputs, 'in'), 'input', { mode: 0o444 });
      const seen = sandbox.pathOf({ source: inputs, target: '/in' }, jobDir);
      expect(seen).toMatch(/^\.\.\/[0-9a-f]{32}$/);
      const { stdout } = await sandbox.run({
        program: '/bin/cat',
        args: [`${seen}/in`],
        jobDir,
        limits: probeLimits,
      });
      expect(stdout.toString()).toBe('input');
    }),
  );
});

test('limits of time, processor time, memory, output and disk end a program with all that it started', async () => {
  const mark = newMark();
  const tree = `if (fork) { sleep 600 } else { exec "/usr/bin/perl", "-e", "sleep 600", "${mark}" }`;
  expect((await perl(tree, { wallMs: 1000 })).outcome).toBe('timeout');
  expect(countMarked(mark)).toBe(0);
  // What a program leaves behind when it ends by itself.
  expect((await perl(`exit 0 if fork; exec "/usr/bin/perl", "-e", "sleep 600", "${mark}"`)).outcome).toBe(
    'exited',
  );
  await expect.poll(() => countMarked(mark)).toBe(0);
  expect(await perl('1 while 1', { cpuSeconds: 1 })).toMatchObject({ outcome: 'killed' });
  const memoryBytes = 128 * 1024 * 1024;
  const hungry = 'my @a; for (1..60) { push @a, ("a" x 10_000_000) . $_ } sleep 600';
  expect((await perl(hungry, { memoryBytes })).outcome).toBe('memory');
  expect((await perl('print "x" x 1_000_000 while 1', { stdoutBytes: 100_000 })).outcome).toBe('output');
  const files = 'for my $i (1..1000) { open F, ">f$i"; close F } sleep 600';
  expect((await perl(files, { files: 100 })).outcome).toBe('disk');
});

test('a program that does not exist is a fault, and a cancelled one ends', async () => {
  await expect(run('/none/program', [])).resolves.toMatchObject({ outcome: 'exited', code: 127 });
  const cancel = new AbortController();
  setTimeout(() => cancel.abort(), 200);
  const options = {
    program: '/usr/bin/perl',
    args: ['-e', 'sleep 600'],
    limits: probeLimits,
    signal: cancel.signal,
  };
  expect((await sandbox.run(options)).outcome).toBe('aborted');
});

test('after it is closed nothing starts', async () => {
  const other = await openUnconfined(UnconfinedPermit.make(), root);
  await other.close();
  await expect(other.withJob(() => Promise.resolve())).rejects.toThrow(SandboxSetupError);
});

/** On the systems that have no /proc. */
test.runIf(existsSync('/usr/bin/ps') || existsSync('/bin/ps'))('ps knows what /proc knows', () => {
  const mine = psProcesses.startTime(process.pid);
  expect([mine, psProcesses.startTime(999_999_999)]).toEqual([expect.stringMatching(/^\d+$/), undefined]);
  const [a, b] = [linuxProcesses, psProcesses].map((table) => table.treeMemoryBytes(process.pid));
  expect(b).toBeGreaterThan((a ?? 0) / 2);
  expect(b).toBeLessThan((a ?? 0) * 2);
  expect(psProcesses.commandLines()).toContainEqual({
    pid: process.pid,
    command: expect.stringContaining('node'),
  });
});
