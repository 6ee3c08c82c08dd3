/** A program of the cluster, run as the user postgres, in the network of its machine. Only what was started here is signalled. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';

export interface DaemonPlan {
  readonly command: readonly string[];
  /** What the command is put behind, to run in another network. */
  readonly within: readonly string[];
  readonly logFile: string;
  /** Folders of further programs. */
  readonly programs?: string;
}

const AS_POSTGRES = ['setpriv', '--reuid=postgres', '--regid=postgres', '--init-groups'];

export class Daemon {
  readonly #plan: DaemonPlan;
  #process: ChildProcess | undefined;

  constructor(plan: DaemonPlan) {
    this.#plan = plan;
  }

  start(): void {
    const { command, within, logFile, programs } = this.#plan;
    const log = openSync(logFile, 'a', 0o644);
    const [program = '', ...args] = [...within, ...AS_POSTGRES, ...command];
    const folders = [programs, '/usr/sbin', '/usr/bin', process.env.PATH].filter(
      (each) => each !== undefined,
    );
    try {
      this.#process = spawn(program, args, {
        detached: true,
        stdio: ['ignore', log, log],
        env: { PATH: folders.join(':'), LC_ALL: 'C.UTF-8', TZ: 'UTC' },
      }).on('error', () => undefined);
    } finally {
      closeSync(log);
    }
  }

  get isUp(): boolean {
    return (
      this.#process !== undefined && this.#process.exitCode === null && this.#process.signalCode === null
    );
  }

  signal(name: NodeJS.Signals): void {
    if (this.isUp) this.#process?.kill(name);
  }

  /** Asks it to end, and kills it if it has not after this time. */
  async stop(withinMs: number): Promise<void> {
    const ending = this.#process;
    if (ending === undefined || !this.isUp) return;
    const ended = once(ending, 'exit');
    const timer = setTimeout(() => ending.kill('SIGKILL'), withinMs);
    ending.kill('SIGCONT');
    ending.kill('SIGTERM');
    await ended;
    clearTimeout(timer);
  }

  async kill(): Promise<void> {
    const ending = this.#process;
    if (ending === undefined || !this.isUp) return;
    const ended = once(ending, 'exit');
    ending.kill('SIGKILL');
    await ended;
  }
}
