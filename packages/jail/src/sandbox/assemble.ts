/** What both kinds of sandbox are made of: job directories, and a way to start programs in them. */
import type { FileMount } from './command-line.ts';
import { SandboxSetupError } from './faults.ts';
import type { JobDirectories } from './job-directories.ts';
import { type RunOptions, type RunResult, runToEnd } from './run.ts';
import type { SandboxedProcess, StartOptions } from './supervise.ts';

export interface JobFolders {
  /** Gives the work a new job directory, and removes it with its contents when the work is done. */
  withJob<Result>(work: (jobDir: string) => Promise<Result>): Promise<Result>;
}

export interface Sandbox extends JobFolders {
  /** What keeps programs from the rest of the machine. */
  readonly confinement: 'bubblewrap' | 'none';
  /** The name by which a program that runs in `jobDir`, its working directory, finds what is mounted for it. */
  pathOf(mount: FileMount, jobDir?: string): string;
  /** Runs a program to its end. Rejects only if the sandbox itself fails. */
  run(options: RunOptions): Promise<RunResult>;
  /** Starts a program that the caller talks to and ends. */
  start(options: StartOptions): SandboxedProcess;
  /** Ends all programs and removes all job directories. */
  close(): Promise<void>;
}

export interface SandboxParts extends Pick<Sandbox, 'confinement' | 'pathOf'> {
  readonly directories: JobDirectories;
  readonly start: (options: StartOptions) => SandboxedProcess;
}

export function jobFolders(directories: JobDirectories): JobFolders {
  return {
    async withJob(work) {
      const jobDir = await directories.create();
      try {
        return await work(jobDir);
      } finally {
        await directories.remove(jobDir);
      }
    },
  };
}

export function assembleSandbox({ directories, start, ...parts }: SandboxParts): Sandbox {
  const folders = jobFolders(directories);
  const running = new Set<SandboxedProcess>();
  let isClosed = false;
  const ensureOpen = (): void => {
    if (isClosed) throw new SandboxSetupError('the sandbox is closed');
  };
  const startTracked = (options: StartOptions): SandboxedProcess => {
    ensureOpen();
    const started = start(options);
    running.add(started);
    const forget = (): boolean => running.delete(started);
    started.ended.then(forget, forget);
    return started;
  };
  return {
    ...parts,
    async withJob(work) {
      ensureOpen();
      return folders.withJob(work);
    },
    run: async (options) => runToEnd(startTracked, options),
    start: startTracked,
    async close() {
      isClosed = true;
      for (const started of running) started.end('aborted');
      await Promise.allSettled([...running].map(({ ended }) => ended));
      await directories.close();
    },
  };
}
