// @module-tag sandbox
import { chmodSync, chownSync, existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import path from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Sandbox } from './assemble.ts';
import { SandboxSetupError, SandboxUnavailableError } from './faults.ts';
import { type JobLimits, probeLimits } from './limits.ts';
import type { RunOptions, RunResult } from './run.ts';
import { countMarked, eventually, newMark, temporaryRoot, zombieChildren } from './sandbox.testing.ts';
import { openSandbox } from './sandbox.ts';
import { type ProbeReport, problemsInReport } from './self-test.ts';

const root = temporaryRoot();
let sandbox: Sandbox;
let canary: Server;
let hits = 0;

beforeAll(async () => {
  sandbox = await openSandbox({ root });
  canary = createServer((socket) => {
    hits++;
    socket.destroy();
  });
  await new Promise<void>((resolve) => canary.listen(0, '127.0.0.1', resolve));
});

afterAll(async () => {
  await sandbox.close();
  canary.close();
  rmSync(root, { recursive: true, force: true });
});

function run(
  program: string,
  args: string[],
  limits: Partial<JobLimits> = {},
  more: Partial<RunOptions> = {},
): Promise<RunResult> {
  return sandbox.withJob((jobDir) =>
    sandbox.run({ program, args, jobDir, limits: { ...probeLimits, wallMs: 20_000, ...limits }, ...more }),
  );
}

const shell = (script: string, limits: Partial<JobLimits> = {}, more: Partial<RunOptions> = {}) =>
  run('/bin/bash', ['-c', script], limits, more);
const perl = (script: string, limits: Partial<JobLimits> = {}) =>
  run('/usr/bin/perl', ['-e', script], limits);

describe('a run', () => {
  test('gives back exit code, output and the last words', async () => {
    const result = await shell('echo out; echo err >&2; exit 7');
    expect(result).toMatchObject({ outcome: 'exited', code: 7, signal: undefined, stderr: 'err\n' });
    expect(result.stdout.toString()).toBe('out\n');
  });

  test('takes input as bytes and as a stream', async () => {
    const bytes = await run('/usr/bin/cat', [], {}, { stdin: Buffer.from('bytes') });
    const stream = await run('/usr/bin/cat', [], {}, { stdin: Readable.from([Buffer.from('str'), 'eam']) });
    expect([bytes.stdout.toString(), stream.stdout.toString()]).toEqual(['bytes', 'stream']);
  });

  test('ends when the stream that feeds it breaks off', async () => {
    const broken = Readable.from(
      (function* () {
        yield Buffer.from('half');
        throw new Error('the engine is gone');
      })(),
    );
    expect((await run('/usr/bin/cat', [], {}, { stdin: broken })).outcome).toBe('aborted');
  });

  test('reads and writes its own job directory, which is gone afterwards', async () => {
    let seen = '';
    await sandbox.withJob(async (jobDir) => {
      seen = jobDir;
      writeFileSync(path.join(jobDir, 'in'), 'source');
      const limits = probeLimits;
      await sandbox.run({ program: '/bin/bash', args: ['-c', 'cat in in > out'], jobDir, limits });
      expect(readdirSync(jobDir).sort()).toEqual(['in', 'out']);
    });
    expect(existsSync(seen)).toBe(false);
  });

  test('leaves no directory when the work fails, nor when the job has locked or deeply nested its folders', async () => {
    const before = readdirSync(path.join(root, homeOf(root))).length;
    await expect(sandbox.withJob(() => Promise.reject(new Error('mine')))).rejects.toThrow('mine');
    const nested = await perl(
      'mkdir "locked"; mkdir "locked/x"; chmod 0, "locked"; symlink "/etc", "link"; for (1..600) { mkdir "nested-folder" and chdir "nested-folder" }',
      { files: 10_000 },
    );
    expect(nested.outcome).toBe('exited');
    expect(readdirSync(path.join(root, homeOf(root))).length).toBe(before);
  });

  test('that is cancelled ends at once', async () => {
    const cancel = new AbortController();
    setTimeout(() => cancel.abort(), 300);
    const result = await shell('sleep 600', {}, { signal: cancel.signal });
    expect(result.outcome).toBe('aborted');
    expect((await shell('sleep 60', {}, { signal: AbortSignal.abort() })).outcome).toBe('aborted');
  });

  test('of a sandbox that can not be set up is a fault, not a result', async () => {
    const missing = [{ source: path.join(root, 'missing'), target: '/missing' }];
    await expect(shell('true', {}, { mounts: missing })).rejects.toThrow(SandboxSetupError);
  });
});

function homeOf(folder: string): string {
  const [home] = readdirSync(folder);
  if (home === undefined) throw new Error('the sandbox has no folder');
  return home;
}

describe('inside', () => {
  test('there is no network: the listener outside hears nothing', async () => {
    const address = canary.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const result = await shell(
      `exec 3<>/dev/tcp/127.0.0.1/${port} && echo reached; exec 4<>/dev/udp/127.0.0.1/${port} && echo sent; cat /proc/net/route | wc -l`,
    );
    expect(result.stdout.toString()).not.toMatch(/reached|sent/);
    expect(hits).toBe(0);
  });

  test('files outside do not exist, and the system can only be read', async () => {
    const secret = path.join(root, 'secret');
    writeFileSync(secret, 'secret', { mode: 0o644 });
    const result = await shell(
      `for file in ${secret} /etc/passwd /etc/shadow /root /home /var /sys /work /run; do [ -e $file ] && echo "sees $file"; done
       for folder in / /usr /usr/bin /etc /dev /dev/shm /proc /tmp; do touch $folder/probe && echo "writes $folder"; done
       ls / | tr '\\n' ' '`,
    );
    expect(result.stdout.toString()).not.toMatch(/sees|writes/);
    expect(result.stdout.toString()).toContain('job');
  });

  test('privileged calls are refused and nothing of ours is in the environment', async () => {
    const result = await shell(
      `unshare -U true && echo made-namespace; mount -t tmpfs x /job && echo mounted; mknod /job/x c 1 3 && echo made-device
       cat /proc/self/environ | tr '\\0' '\\n' | cut -d= -f1 | sort | tr '\\n' ' '; echo; ls -d /proc/[0-9]* | wc -l`,
    );
    const [names = '', processes = ''] = result.stdout.toString().trim().split('\n');
    expect(names.trim()).toBe('HOME LANG PATH PWD SHLVL TMPDIR _');
    expect(Number(processes)).toBeLessThan(5);
  });
});

describe('a limit', () => {
  test('of time ends the whole tree', async () => {
    const mark = newMark();
    const result = await shell(
      `(trap '' TERM HUP INT; setsid perl -e 'sleep 1000' ${mark} & perl -e 'sleep 1000' ${mark} & wait)`,
      { wallMs: 1000 },
    );
    expect(result.outcome).toBe('timeout');
    expect(countMarked(mark)).toBe(0);
  });

  test('of processor time ends a loop', async () => {
    const result = await shell('while :; do :; done', { cpuSeconds: 1 });
    expect(result).toMatchObject({ outcome: 'killed', signal: 'SIGKILL' });
  });

  test('of processes holds a fork bomb, which leaves nobody behind', async () => {
    const mark = newMark();
    let most = 0;
    const count = setInterval(() => {
      most = Math.max(most, countMarked(mark));
    }, 100);
    // Each doubles at most nine times: should the limit ever fail, this machine must live to tell.
    const bomb = `for (1..9) { fork; select undef, undef, undef, 0.02 } sleep 30 # ${mark}`;
    const result = await perl(bomb, { wallMs: 1500, processes: 32 });
    clearInterval(count);
    expect(result.outcome).toBe('timeout');
    // Those of the sandbox, and the one outside that waits for it.
    expect(most).toBeGreaterThan(16);
    expect(most).toBeLessThanOrEqual(33);
    expect(countMarked(mark)).toBe(0);
  });

  test('of memory ends one process, and many small ones together', async () => {
    const memoryBytes = 128 * 1024 * 1024;
    const one = await perl('my @a; for (1..60) { push @a, ("a" x 10_000_000) . $_ } sleep 30', {
      memoryBytes,
    });
    const many = await perl(
      'for (1..7) { fork or last } my @a; for (1..4) { push @a, ("a" x 10_000_000) . $_ } sleep 30',
      { memoryBytes },
    );
    expect([one.outcome, many.outcome]).toEqual(['memory', 'memory']);
  });

  test('of output ends a flood; of errors only the end is kept', async () => {
    expect((await perl('print "x" x 1_000_000 while 1', { stdoutBytes: 100_000 })).outcome).toBe('output');
    const words = await perl('print STDERR "noise\\n" x 100_000; print STDERR "the last words"', {
      stderrBytes: 100,
    });
    expect(words.stderr).toHaveLength(100);
    expect(words.stderr.endsWith('the last words')).toBe(true);
  });

  test('of the job directory: one file, all bytes, number of files', async () => {
    const full = await perl(
      'open F, ">f"; $SIG{XFSZ} = "IGNORE"; my $n = 0; while (syswrite F, "x" x 65536) { $n++ } print -s "f"',
      { fileBytes: 1_000_000 },
    );
    expect(full.stdout.toString()).toBe('1000000');
    const bytes = await perl(
      'for my $i (1..100) { open F, ">f$i"; print F "x" x 1_000_000; close F } sleep 30',
      { fileBytes: 1_000_000, totalBytes: 20_000_000, files: 2000 },
    );
    const files = await perl('for my $i (1..1000) { open F, ">f$i"; close F } sleep 30', { files: 100 });
    expect([bytes.outcome, files.outcome]).toEqual(['disk', 'disk']);
  });
});

describe('opening', () => {
  test('without the sandbox’s program says what is missing and how to get it', async () => {
    const failure = openSandbox({ root, tools: { bwrap: '/nowhere/bwrap' } });
    await expect(failure).rejects.toThrow(SandboxUnavailableError);
    await expect(failure).rejects.toThrow('/nowhere/bwrap is missing (apt-get install bubblewrap)');
  });

  test('in a folder that others may write to is refused: they could change the sandbox', async () => {
    const open = temporaryRoot();
    chmodSync(open, 0o777);
    await expect(openSandbox({ root: open })).rejects.toThrow(/can be changed by other users/);
    for (const nowhere of ['/proc/sandbox', `/proc/${process.pid}/sandbox/below`])
      await expect(openSandbox({ root: nowhere })).rejects.toThrow(`${nowhere} can’t be made: ENOENT`);
    expect(readdirSync(open)).toEqual([]);
    rmSync(open, { recursive: true });
  });

  test.runIf(process.getuid?.() === 0)('in a folder of another user says whom to run as', async () => {
    const foreign = temporaryRoot();
    chownSync(foreign, 12345, 12345);
    await expect(openSandbox({ root: foreign })).rejects.toThrow(/belongs to another user \(12345\)/);
    rmSync(foreign, { recursive: true });
  });

  test('with a sandbox that does not hold refuses, and leaves nothing behind', async () => {
    const before = readdirSync(root).length;
    // A stand-in that says what the sandbox would say, and runs the probe without any.
    const bare = path.join(root, 'bare');
    const probe = path.join(import.meta.dirname, 'probe.ts');
    const script = `while [ $# -gt 2 ]; do shift; done
      echo '{ "child-pid": '$$' }' >&4; ${process.execPath} ${probe} "$@"; echo '{ "exit-code": 0 }' >&4`;
    writeFileSync(bare, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    const failure = openSandbox({ root, tools: { bwrap: bare } });
    await expect(failure).rejects.toThrow(SandboxUnavailableError);
    await expect(failure).rejects.toThrow('the sandbox reaches the network');
    await expect(failure).rejects.toThrow('the sandbox sees /etc/passwd');
    await expect(failure).rejects.toThrow('no seccomp filter is active');
    rmSync(bare);
    expect(readdirSync(root).length).toBe(before);
  });

  const good: ProbeReport = {
    connected: false,
    interfaces: ['lo'],
    seesPasswords: false,
    seesCanary: false,
    readOnlySystem: true,
    writesJob: true,
    processes: 1,
    environment: ['PATH'],
    user: 65534,
    capabilities: '00000000000000000000000000000000',
    noNewPrivileges: true,
    seccomp: true,
  };

  test.each<[string, Partial<ProbeReport>]>([
    ['the network', { connected: true }],
    ['a network interface', { interfaces: ['lo', 'eth0'] }],
    ['/etc/passwd', { seesPasswords: true }],
    ['files outside', { seesCanary: true }],
    ['write to the system', { readOnlySystem: false }],
    ['not write to its job', { writesJob: false }],
    ['other processes', { processes: 2 }],
    ['SECRET', { environment: ['PATH', 'SECRET'] }],
    ['as root', { user: 0 }],
    ['capabilities', { capabilities: '0000000000000001' }],
    ['gain privileges', { noNewPrivileges: false }],
    ['seccomp', { seccomp: false }],
  ])('refuses a sandbox by its probe: %s', (words, report) => {
    expect(problemsInReport(good)).toEqual([]);
    const problems = problemsInReport({ ...good, ...report });
    expect(problems).toHaveLength(1);
    expect(problems[0]?.problem).toContain(words);
  });
});

test('closing ends what runs and removes all directories', async () => {
  const own = temporaryRoot();
  const short = await openSandbox({ root: own });
  const mark = newMark();
  const running = short.withJob((jobDir) =>
    short.run({ program: '/usr/bin/perl', args: ['-e', 'sleep 100', mark], jobDir, limits: probeLimits }),
  );
  expect(await eventually(() => countMarked(mark) > 0)).toBe(true);
  await short.close();
  expect((await running).outcome).toBe('aborted');
  expect(countMarked(mark)).toBe(0);
  expect(readdirSync(own)).toEqual([]);
  await expect(short.withJob(() => Promise.resolve())).rejects.toThrow(SandboxSetupError);
  rmSync(own, { recursive: true });
});

test('no run of this file has left a zombie', () => {
  expect(zombieChildren()).toEqual([]);
});
