/** One machine with systemd, and a root's shell on it in which the page's commands run one after another. */
import { type ChildProcessByStdio, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, readdir, rmdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { BASE } from './base.ts';
import { UNTIL_WE_END } from './network.ts';

const BOOT = path.join(import.meta.dirname, 'boot.sh');

const ENVIRONMENT = {
  HOME: '/root',
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  LANG: 'C.UTF-8',
  TERM: 'dumb',
};
/** One character, so that it never comes in two pieces. */
const END = '\u0001';

const JOURNAL_TIMEOUT_MS = 10_000;

type Shell = ChildProcessByStdio<Writable, Readable, null>;

export class Machine {
  readonly name: string;
  readonly #space: string;
  readonly #shell: Shell;
  readonly #first: number;
  #blocks = 0;

  private constructor(name: string, place: { space: string; first: number; shell: Shell }) {
    this.name = name;
    this.#space = place.space;
    this.#first = place.first;
    this.#shell = place.shell;
  }

  static async boot(
    name: string,
    folder: string,
    space: string,
    environment: Readonly<Record<string, string>>,
  ): Promise<Machine> {
    await mkdir(folder, { recursive: true });
    const outer = spawn('setpriv', [...UNTIL_WE_END, 'sh', BOOT, BASE, folder, name, space], {
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    const first = await firstProcess(outer.pid ?? 0);
    const shell = spawn('nsenter', [...entering(first), '--', 'bash', '--noprofile', '--norc'], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { ...ENVIRONMENT, ...environment },
    });
    const machine = new Machine(name, { space, first, shell });
    await machine.run(
      'until systemctl is-system-running --wait >/dev/null || systemctl is-system-running | grep -q degraded; do sleep 0.2; done',
    );
    return machine;
  }

  /** A place on the machine, as seen from here. */
  at(file: string): string {
    return path.join('/proc', String(this.#first), 'root', file);
  }

  /** Runs a block in the shell, and gives what it printed. Rejects when one of its commands failed. */
  async run(script: string): Promise<string> {
    if (this.#shell.stdin.destroyed) throw new Error(`the shell on ${this.name} has ended`);
    const file = `/run/guide-${++this.#blocks}.sh`;
    await writeFile(this.at(file), `${script}\n`);
    const { stdin, stdout } = this.#shell;
    const printed: string[] = [];
    const ended = new Promise<boolean>((resolve) => {
      const take = (chunk: string) => {
        printed.push(chunk);
        if (chunk.includes(END)) settle(true);
      };
      const close = () => settle(false);
      const settle = (isDone: boolean) => {
        stdout.off('data', take).off('close', close);
        resolve(isDone);
      };
      stdout.setEncoding('utf8').on('data', take).on('close', close);
    });
    stdin.write(`set -eo pipefail; . ${file} 2>&1 < /dev/null; printf '\\001'\n`);
    const isDone = await ended;
    const output = printed.join('').split(END)[0] ?? '';
    if (!isDone) throw new Error(`on ${this.name} this failed:\n${script}\n${output.slice(-4000)}`);
    return output;
  }

  /** The last lines that its services wrote, also when the shell has ended. */
  async journal(lines = 60): Promise<string> {
    const journalctl = ['journalctl', '--quiet', '--no-pager', '--output=short-precise', `--lines=${lines}`];
    const units = ['patroni', 'etcd', 'millpond-gateway'].map((unit) => `--unit=${unit}`);
    const command = [...entering(this.#first), '--', ...journalctl, ...units];
    const { stdout } = await promisify(execFile)('nsenter', command, { timeout: JOURNAL_TIMEOUT_MS });
    return stdout;
  }

  /** As if its power were gone. */
  async end(): Promise<void> {
    try {
      process.kill(this.#first, 'SIGKILL');
    } catch {
      // It is gone.
    }
    if (this.#shell.exitCode === null && this.#shell.signalCode === null) {
      this.#shell.kill('SIGKILL');
      await once(this.#shell, 'exit');
    }
    await sleep(500);
    for (const hierarchy of ['/sys/fs/cgroup', '/sys/fs/cgroup/unified'])
      await removeGroups(path.join(hierarchy, `millpond-${this.#space}`));
  }
}

function entering(pid: number): readonly string[] {
  return ['--target', String(pid), '--mount', '--uts', '--ipc', '--net', '--pid', '--cgroup'];
}

/** systemd, once it has taken over from the script that prepared it. */
async function firstProcess(outer: number): Promise<number> {
  for (let tries = 0; tries < 100; tries++) {
    await sleep(100);
    const pid = Number(read(`/proc/${outer}/task/${outer}/children`).trim().split(' ')[0]);
    if (pid > 0 && read(`/proc/${pid}/comm`).trim() === 'systemd') return pid;
  }
  throw new Error('a machine did not boot');
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** Groups can be removed one by one alone, the innermost first. */
async function removeGroups(group: string): Promise<void> {
  const inner = await readdir(group, { withFileTypes: true }).catch(() => []);
  for (const each of inner) if (each.isDirectory()) await removeGroups(path.join(group, each.name));
  await rmdir(group).catch(() => undefined);
}
