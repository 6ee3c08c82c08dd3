/**
 * Programs without a sandbox, for `millpond dev` on a machine that can't have one: they run as the developer's own processes (as
 * nobody where root started it), each in a job directory of its own, within the limits that the system has for everybody.
 * Nothing keeps them from the user's files or the network, so nothing but `millpond dev` may open it: see unconfined-permit.ts.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { setPriority } from 'node:os';
import path from 'node:path';
import { assembleSandbox, type Sandbox } from './assemble.ts';
import { NOBODY, type SandboxUser } from './command-line.ts';
import { SandboxUnavailableError } from './faults.ts';
import { openJobDirectories } from './job-directories.ts';
import { type JobLimits, kernelLimits, probeLimits } from './limits.ts';
import { type SandboxedProcess, type StartOptions, supervise } from './supervise.ts';
import type { UnconfinedPermit } from './unconfined-permit.ts';

const NICENESS = 10;
const START_TIMEOUT_MS = 20_000;

export async function openUnconfined(_permit: UnconfinedPermit, root: string): Promise<Sandbox> {
  const user = process.getuid?.() === 0 ? NOBODY : undefined;
  const directories = await openJobDirectories(path.resolve(root), user);
  const sandbox = assembleSandbox({
    confinement: 'none',
    directories,
    // Relative, so that no character of the user's own folders reaches a filter or a list of ffmpeg.
    pathOf: ({ source }, jobDir) => (jobDir === undefined ? source : path.relative(jobDir, source)),
    start: (options) => startUnconfined(options, user, directories.home),
  });
  const limits = { ...probeLimits, wallMs: START_TIMEOUT_MS };
  const problem = await sandbox.run({ program: process.execPath, args: ['--version'], limits }).then(
    ({ code, stderr }) => (code === 0 ? undefined : stderr.trim()),
    (error: Error) => error.message,
  );
  if (problem === undefined) return sandbox;
  await sandbox.close();
  const remedy = 'the folders of Node and of the packages must be open to other users: not below /root';
  throw new SandboxUnavailableError([{ problem: `${process.execPath} does not start: ${problem}`, remedy }]);
}

function startUnconfined(
  options: StartOptions,
  user: SandboxUser | undefined,
  home: string,
): SandboxedProcess {
  const cwd = options.jobDir ?? home;
  const [file = '', ...args] = [
    ...endsWithUs(),
    ...withLimits(options.limits),
    options.program,
    ...options.args,
  ];
  const child = spawn(file, args, {
    cwd,
    env: { PATH: '/usr/bin:/bin', LANG: 'C.UTF-8', HOME: cwd, TMPDIR: cwd },
    // A group of its own, so that it can be killed with all that it starts.
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
    ...user,
  });
  // Whatever it started and left behind.
  child.once('exit', () => killGroup(child));
  lowerPriority(child);
  return supervise(
    {
      child,
      stdin: child.stdin,
      stdout: child.stdout,
      stderr: child.stderr,
      pid: () => child.pid,
      whenStarted: (listener) => listener(),
      kill: () => killGroup(child),
      ending: (stderr) =>
        child.signalCode === null
          ? { outcome: 'exited', code: child.exitCode ?? 0, signal: undefined, stderr }
          : { outcome: 'killed', code: undefined, signal: child.signalCode, stderr },
    },
    options,
  );
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Nothing of it is left.
  }
}

function lowerPriority({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, NICENESS);
  } catch {
    // It has ended already.
  }
}

/** The first to be killed when the machine runs out of memory, and killed with us; where the system has programs for that. */
function endsWithUs(): string[] {
  const withParent = ifThere('setpriv', '--pdeathsig', 'KILL', '--');
  // If we were killed before the kernel was asked to, it has another parent by now, and goes by itself.
  const unlessOrphaned = ['/bin/sh', '-c', `[ "$PPID" = ${process.pid} ] && unset PWD && exec "$@"`, 'sh'];
  return [
    ...ifThere('choom', '-n', '1000', '--'),
    ...withParent,
    ...(withParent.length > 0 ? unlessOrphaned : []),
  ];
}

/** All but the number of processes, which the kernel would count over everything that the user runs. */
function withLimits(limits: JobLimits): string[] {
  const options = kernelLimits(limits).filter((option) => !option.startsWith('--nproc='));
  const prlimit = ifThere('prlimit', ...options, '--');
  if (prlimit.length > 0) return prlimit;
  const blocks = Math.ceil(limits.fileBytes / 512);
  const cpu = limits.cpuSeconds === undefined ? '' : `ulimit -t ${limits.cpuSeconds}; `;
  return ['/bin/sh', '-c', `${cpu}ulimit -f ${blocks}; ulimit -n 256; ulimit -c 0; exec "$@"`, 'sh'];
}

function ifThere(name: string, ...args: readonly string[]): string[] {
  const file = ['/usr/bin', '/bin'].map((folder) => path.join(folder, name)).find((each) => existsSync(each));
  return file === undefined ? [] : [file, ...args];
}
