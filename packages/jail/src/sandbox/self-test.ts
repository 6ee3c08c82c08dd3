/**
 * Proves that the sandbox holds before anything runs in it: a probe inside tries what must not work, against a real listener and
 * a real file outside. Each failure is reported with what an operator can do about it.
 */
import { constants } from 'node:fs';
import { access, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import path from 'node:path';
import type { Tools } from './command-line.ts';
import { type SandboxProblem, SandboxSetupError } from './faults.ts';
import { probeLimits } from './limits.ts';
import { nodeMount, PROGRAM_EXTENSION, packageMount } from './node.ts';
import type { RunOptions, RunResult } from './run.ts';

export interface ProbeReport {
  readonly connected: boolean;
  readonly interfaces: readonly string[];
  readonly seesPasswords: boolean;
  readonly seesCanary: boolean;
  readonly readOnlySystem: boolean;
  readonly writesJob: boolean;
  readonly processes: number;
  readonly environment: readonly string[];
  readonly user: number;
  readonly capabilities: string;
  readonly noNewPrivileges: boolean;
  readonly seccomp: boolean;
}

const PROBE = path.join(import.meta.dirname, `probe${PROGRAM_EXTENSION}`);
const SANDBOXED_PROBE = `/app/probe${PROGRAM_EXTENSION}`;
const PROBE_WALL_MS = 20_000;
const GUIDE = 'see docs/sandbox.md';
const KNOWN_NAMES = new Set(['PATH', 'LANG', 'HOME', 'TMPDIR', 'PWD', 'OLDPWD', 'SHLVL', '_']);

export async function missingTools(tools: Tools, root: boolean): Promise<SandboxProblem[]> {
  const needed = [
    { file: tools.bwrap, from: 'bubblewrap' },
    { file: tools.choom, from: 'util-linux' },
    { file: tools.prlimit, from: 'util-linux' },
    ...(root ? [{ file: tools.setpriv, from: 'util-linux' }] : []),
  ];
  const found = await Promise.all(
    needed.map(async ({ file, from }) =>
      access(file, constants.X_OK).then(
        () => [],
        () => [{ problem: `${file} is missing`, remedy: `apt-get install ${from}` }],
      ),
    ),
  );
  return found.flat();
}

export async function probeSandbox(
  run: (options: RunOptions) => Promise<RunResult>,
  jobDir: string,
): Promise<SandboxProblem[]> {
  const canary = `${jobDir}.canary`;
  const listener = await listen();
  try {
    await writeFile(canary, '');
    const address = listener.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const result = await run({
      program: nodeMount.target,
      args: [SANDBOXED_PROBE, String(port), canary],
      mounts: [nodeMount, packageMount, { source: PROBE, target: SANDBOXED_PROBE }],
      jobDir,
      limits: { ...probeLimits, wallMs: PROBE_WALL_MS },
    });
    return problemsInProbe(result);
  } catch (error) {
    if (error instanceof SandboxSetupError) return [explain(error.message)];
    throw error;
  } finally {
    listener.close();
    await rm(canary, { force: true });
  }
}

function problemsInProbe({ outcome, code, stdout, stderr }: RunResult): SandboxProblem[] {
  if (outcome !== 'exited' || code !== 0) {
    const how = outcome === 'exited' ? `exit code ${code}` : outcome;
    return [
      { problem: `the probe in the sandbox failed (${how}): ${stderr.trim().slice(-500)}`, remedy: GUIDE },
    ];
  }
  return problemsInReport(JSON.parse(stdout.toString('utf8')) as ProbeReport);
}

export function problemsInReport(report: ProbeReport): SandboxProblem[] {
  const strange = report.environment.filter((name) => !KNOWN_NAMES.has(name));
  const faults = [
    report.connected && 'the sandbox reaches the network',
    report.interfaces.some((name) => name !== 'lo') && 'the sandbox has a network interface',
    report.seesPasswords && 'the sandbox sees /etc/passwd',
    report.seesCanary && 'the sandbox sees files outside its job directory',
    !report.readOnlySystem && 'the sandbox can write to the system',
    !report.writesJob && 'the sandbox cannot write to its job directory',
    report.processes > 1 && 'the sandbox sees other processes',
    strange.length > 0 && `the sandbox sees the environment (${strange.join(', ')})`,
    report.user === 0 && 'the sandbox runs as root',
    /[^0]/.test(report.capabilities) && 'the sandbox has capabilities',
    !report.noNewPrivileges && 'the sandbox can gain privileges',
    !report.seccomp && 'no seccomp filter is active in the sandbox',
  ];
  return faults.filter((fault) => fault !== false).map((problem) => ({ problem, remedy: GUIDE }));
}

function explain(message: string): SandboxProblem {
  if (/namespace|uid map|gid map|Operation not permitted/i.test(message))
    return {
      problem: message,
      remedy:
        'user namespaces must be allowed: sysctl kernel.unprivileged_userns_clone=1 and user.max_user_namespaces ' +
        `above 0; on Ubuntu also an AppArmor profile for bwrap; in a container ${GUIDE}`,
    };
  if (/Can't find source path|Can't bind mount/i.test(message))
    return {
      problem: message,
      remedy:
        "the sandbox's root, Node and the program's own folder must be accessible to the sandbox's user",
    };
  return { problem: message, remedy: GUIDE };
}

function listen(): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => resolve(server));
  });
}
