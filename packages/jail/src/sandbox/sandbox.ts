/**
 * The one sandbox for programs that read what strangers sent. `openSandbox` proves at start that it holds, or throws
 * SandboxUnavailableError with what is missing; a server runs nothing without it (what `millpond dev` may do is in unconfined.ts). It
 * guarantees, for each run: no network, no files except the system's programs and its own job directory, no processes except its
 * own, its limits, and nothing left behind: no process, no directory, even if our own process is killed.
 */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { assembleSandbox, type Sandbox } from './assemble.ts';
import { debianTools, NOBODY, type SandboxSetup, type SandboxUser, type Tools } from './command-line.ts';
import { SandboxUnavailableError } from './faults.ts';
import { openJobDirectories } from './job-directories.ts';
import { startSandboxed } from './process.ts';
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

export async function openSandbox(options: SandboxOptions): Promise<Sandbox> {
  const tools = { ...debianTools, ...options.tools };
  const asRoot = process.getuid?.() === 0;
  const machine = machineOf(process.arch);
  if (process.platform !== 'linux' || machine === undefined)
    throw new SandboxUnavailableError([
      {
        problem: `no sandbox on ${process.platform} ${process.arch}`,
        remedy: 'run on Linux, x86_64 or aarch64',
      },
    ]);
  const missing = await missingTools(tools, asRoot);
  if (missing.length > 0) throw new SandboxUnavailableError(missing);

  const user = asRoot ? (options.user ?? NOBODY) : undefined;
  const directories = await openJobDirectories(path.resolve(options.root), user);
  const setup: SandboxSetup = { tools, user, filterPath: path.join(directories.home, 'filter') };
  await writeFile(setup.filterPath, buildSeccompFilter(machine), { mode: 0o444 });

  const sandbox = assembleSandbox({
    confinement: 'bubblewrap',
    directories,
    pathOf: ({ target }) => target,
    start: (startOptions) => startSandboxed(setup, startOptions),
  });

  const problems = await sandbox.withJob((jobDir) => probeSandbox((probe) => sandbox.run(probe), jobDir));
  if (problems.length > 0) {
    await sandbox.close();
    throw new SandboxUnavailableError(problems);
  }
  return sandbox;
}
