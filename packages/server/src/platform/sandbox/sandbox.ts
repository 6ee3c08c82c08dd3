/**
 * The one sandbox for programs that read what strangers sent. `openSandbox` proves at start that it holds, or throws
 * SandboxUnavailable with what is missing; nothing ever runs without it. It guarantees, for each run: no network, no files
 * except the system's programs and its own job directory, no processes except its own, its limits, and nothing left behind: no
 * process, no directory, even if our own process is killed.
 */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { debianTools, type SandboxSetup, type SandboxUser, type Tools } from './command-line.ts';
import { SandboxBroken, SandboxUnavailable } from './faults.ts';
import { openJobDirectories } from './job-directories.ts';
import { type SandboxedProcess, type StartOptions, startSandboxed } from './process.ts';
import { type RunOptions, type RunResult, runSandboxed } from './run.ts';
import { buildSeccompFilter } from './seccomp.ts';
import { missingTools, probeSandbox } from './self-test.ts';
import { machineOf } from './syscalls.ts';

export interface SandboxOptions {
  /** Folder for job directories; created if absent. The sandbox's user must be able to pass through to it. */
  readonly root: string;
  /** The user that sandboxed programs run as when we are root; 65534:65534 (nobody) by default. */
  readonly user?: SandboxUser | undefined;
  /** Paths of the tools, if not those of Debian. */
  readonly tools?: Partial<Tools> | undefined;
}

export interface Sandbox {
  /** Gives the work a new job directory, and removes it with its contents when the work is done. */
  withJob<Result>(work: (jobDir: string) => Promise<Result>): Promise<Result>;
  /** Runs a program to its end. Rejects only if the sandbox itself fails. */
  run(options: RunOptions): Promise<RunResult>;
  /** Starts a program that the caller talks to and ends. */
  start(options: StartOptions): SandboxedProcess;
  /** Ends all programs and removes all job directories. */
  close(): Promise<void>;
}

const NOBODY: SandboxUser = { uid: 65534, gid: 65534 };

export async function openSandbox(options: SandboxOptions): Promise<Sandbox> {
  const tools = { ...debianTools, ...options.tools };
  const asRoot = process.getuid?.() === 0;
  const machine = machineOf(process.arch);
  if (process.platform !== 'linux' || machine === undefined)
    throw new SandboxUnavailable([
      {
        problem: `no sandbox on ${process.platform} ${process.arch}`,
        remedy: 'run on Linux, x86_64 or aarch64',
      },
    ]);
  const missing = await missingTools(tools, asRoot);
  if (missing.length > 0) throw new SandboxUnavailable(missing);

  const user = asRoot ? (options.user ?? NOBODY) : undefined;
  const directories = await openJobDirectories(path.resolve(options.root), user);
  const setup: SandboxSetup = { tools, user, filterPath: path.join(directories.home, 'filter') };
  await writeFile(setup.filterPath, buildSeccompFilter(machine), { mode: 0o444 });

  const running = new Set<SandboxedProcess>();
  let closed = false;
  const track = (started: SandboxedProcess): SandboxedProcess => {
    running.add(started);
    const forget = (): boolean => running.delete(started);
    started.ended.then(forget, forget);
    return started;
  };
  const ensureOpen = (): void => {
    if (closed) throw new SandboxBroken('the sandbox is closed');
  };

  const sandbox: Sandbox = {
    async withJob(work) {
      ensureOpen();
      const jobDir = await directories.create();
      try {
        return await work(jobDir);
      } finally {
        await directories.remove(jobDir);
      }
    },
    async run(runOptions) {
      ensureOpen();
      return runSandboxed(setup, runOptions, track);
    },
    start(startOptions) {
      ensureOpen();
      return track(startSandboxed(setup, startOptions));
    },
    async close() {
      closed = true;
      for (const started of running) started.end('aborted');
      await Promise.allSettled([...running].map(({ ended }) => ended));
      await directories.close();
    },
  };

  const problems = await sandbox.withJob((jobDir) => probeSandbox((probe) => sandbox.run(probe), jobDir));
  if (problems.length > 0) {
    await sandbox.close();
    throw new SandboxUnavailable(problems);
  }
  return sandbox;
}
