/**
 * The command line of the sandbox. Inside are the system's /usr read-only, what the caller mounts read-only, and the job
 * directory as /job, the only place that can be written to (a tmpfs would be memory that no limit counts). No network, no other
 * process, no capability, an empty environment. The program is process 1 of its own process namespace: when it ends the kernel ends
 * everything it started, and no process of ours has to reap anything.
 */
import { lstatSync, readlinkSync } from 'node:fs';
import { type JobLimits, kernelLimits } from './limits.ts';

export interface Tools {
  readonly bwrap: string;
  readonly setpriv: string;
  readonly choom: string;
  /** Run inside the sandbox, where processes are counted per sandbox: outside, all sandboxes of one user share one count. */
  readonly prlimit: string;
}

export const debianTools: Tools = {
  bwrap: '/usr/bin/bwrap',
  setpriv: '/usr/bin/setpriv',
  choom: '/usr/bin/choom',
  prlimit: '/usr/bin/prlimit',
};

/** A file or folder of ours, shown read-only inside the sandbox at `target`. */
export interface FileMount {
  readonly source: string;
  readonly target: string;
}

/** Or a symbolic link there. */
export type Mount = FileMount | { readonly link: string; readonly target: string };

export interface SandboxUser {
  readonly uid: number;
  readonly gid: number;
}

export const NOBODY: SandboxUser = { uid: 65534, gid: 65534 };

export interface SandboxSetup {
  readonly tools: Tools;
  /** The user that the program runs as; undefined: this process is not root, so its own user. */
  readonly user: SandboxUser | undefined;
  /** Holds the kernel's filter. */
  readonly filterPath: string;
}

export interface SandboxedCommand {
  readonly program: string;
  readonly args: readonly string[];
  readonly limits: JobLimits;
  /** Becomes /job. */
  readonly jobDir?: string | undefined;
  readonly mounts?: readonly Mount[] | undefined;
}

const FILTER_DESCRIPTOR = 3;
const STATUS_DESCRIPTOR = 4;

export function sandboxCommand({ tools, user }: SandboxSetup, inside: SandboxedCommand): string[] {
  return [
    // The first to be killed when the machine runs out of memory.
    tools.choom,
    '-n',
    '1000',
    '--',
    ...(user === undefined ? [] : dropPrivileges(tools, user)),
    tools.bwrap,
    '--unshare-user',
    '--unshare-ipc',
    '--unshare-pid',
    '--unshare-net',
    '--unshare-uts',
    '--unshare-cgroup-try',
    '--as-pid-1',
    '--die-with-parent',
    '--new-session',
    '--uid',
    String(NOBODY.uid),
    '--gid',
    String(NOBODY.gid),
    '--cap-drop',
    'ALL',
    '--hostname',
    'sandbox',
    '--clearenv',
    '--setenv',
    'PATH',
    '/usr/bin',
    '--setenv',
    'LANG',
    'C.UTF-8',
    ...systemFiles(),
    '--proc',
    '/proc',
    '--dev',
    '/dev',
    '--remount-ro',
    '/dev',
    ...(inside.mounts ?? []).flatMap(mountArguments),
    ...jobDirectory(inside.jobDir),
    '--remount-ro',
    '/',
    '--seccomp',
    String(FILTER_DESCRIPTOR),
    '--json-status-fd',
    String(STATUS_DESCRIPTOR),
    '--',
    tools.prlimit,
    ...kernelLimits(inside.limits),
    '--',
    inside.program,
    ...inside.args,
  ];
}

function mountArguments(mount: Mount): string[] {
  return 'link' in mount
    ? ['--symlink', mount.link, mount.target]
    : ['--ro-bind', mount.source, mount.target];
}

function dropPrivileges(tools: Tools, { uid, gid }: SandboxUser): string[] {
  return [
    tools.setpriv,
    `--reuid=${uid}`,
    `--regid=${gid}`,
    '--clear-groups',
    '--inh-caps=-all',
    '--bounding-set=-all',
    '--no-new-privs',
    '--',
  ];
}

function jobDirectory(jobDir: string | undefined): string[] {
  if (jobDir === undefined) return ['--chdir', '/'];
  return [
    '--bind',
    jobDir,
    '/job',
    '--chdir',
    '/job',
    '--setenv',
    'HOME',
    '/job',
    '--setenv',
    'TMPDIR',
    '/job',
  ];
}

/** Programs and libraries: /usr, and what leads into it. Of /etc only the tables of the loader and of fonts. */
function systemFiles(): string[] {
  const top = ['bin', 'sbin', 'lib', 'lib32', 'lib64'].flatMap((name) => {
    const entry = lstatSync(`/${name}`, { throwIfNoEntry: false });
    if (entry === undefined) return [];
    return entry.isSymbolicLink()
      ? ['--symlink', readlinkSync(`/${name}`), `/${name}`]
      : ['--ro-bind', `/${name}`, `/${name}`];
  });
  const tables = ['/etc/alternatives', '/etc/ld.so.cache', '/etc/fonts'];
  return ['--ro-bind', '/usr', '/usr', ...top, ...tables.flatMap((path) => ['--ro-bind-try', path, path])];
}
