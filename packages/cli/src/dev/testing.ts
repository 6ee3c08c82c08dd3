/** `millpond dev` as a test starts it: on free ports, with its own temporary folder. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { COMMAND, finishCommand, freePorts } from '@millpond/testing';
import type { MissingProgram } from './live.ts';
import { PORTS } from './ports.ts';

export interface DevFixture {
  /** The environment that commands see here. */
  readonly settings: Readonly<Record<string, string>>;
  readonly folder: string;
  /** What runs left behind here. */
  leftovers(): string[];
  start(...args: string[]): Promise<DevProcess>;
  /** With additional environment settings. */
  startWith(settings: Readonly<Record<string, string>>, ...args: string[]): Promise<DevProcess>;
  command(...args: string[]): ReturnType<typeof finishCommand>;
  remove(): Promise<void>;
}

export interface DevProcess {
  readonly pid: number;
  readonly url: string;
  readonly secureUrl: string;
  readonly controlUrl: string;
  readonly console: { readonly url: string; readonly email: string; readonly password: string };
  readonly env: Readonly<Record<string, string>>;
  readonly seconds: number;
  readonly missing: readonly MissingProgram[];
  kill(signal: NodeJS.Signals): Promise<number | null>;
}

interface Ready {
  readonly seconds: number;
  readonly ports: { readonly http: number; readonly https: number; readonly control: number };
  readonly console: DevProcess['console'];
  readonly env: Readonly<Record<string, string>>;
  readonly missing: readonly MissingProgram[];
}

export function createDevFixture(): DevFixture {
  const folder = mkdtempSync(path.join(tmpdir(), 'mp-dev-'));
  // Where the tests run as root, PostgreSQL's own user must be able to pass through.
  chmodSync(folder, 0o711);
  const settings = { TMPDIR: folder, HOME: process.env.HOME ?? folder };
  const running = new Set<ChildProcess>();
  return {
    settings,
    folder,
    leftovers: () => readdirSync(folder).filter((name) => name.startsWith('millpond-dev-')),
    command: (...args) => finishCommand(settings, args),
    start: (...args) => startWith({}, ...args),
    startWith,
    async remove() {
      for (const child of running) {
        child.kill('SIGTERM');
        await once(child, 'exit');
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };

  async function startWith(more: Readonly<Record<string, string>>, ...args: string[]): Promise<DevProcess> {
    // Reserved: what is merely free may be another test's, which is about to listen there.
    const port = String(await freePorts(PORTS));
    const child = spawn(process.execPath, [COMMAND, 'dev', '--port', port, '--json', ...args], {
      env: { PATH: process.env.PATH, ...settings, ...more },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    running.add(child);
    const exited = once(child, 'exit').then(([code]) => {
      running.delete(child);
      return code as number | null;
    });
    return ready(child, exited);
  }
}

async function ready(child: ChildProcess, exited: Promise<number | null>): Promise<DevProcess> {
  if (child.stdout === null) throw new Error('no output');
  const lines = createInterface({ input: child.stdout });
  const line = await Promise.race([once(lines, 'line'), exited.then((code) => [`exited with ${code}`])]);
  const { seconds, ports, console, env, missing } = JSON.parse(String(line[0])) as Partial<Ready>;
  if (!seconds || !ports || !console || !env || !missing) throw new Error(`millpond dev said: ${line[0]}`);
  return {
    pid: child.pid ?? 0,
    url: `http://127.0.0.1:${ports.http}`,
    secureUrl: `https://127.0.0.1:${ports.https}`,
    controlUrl: `http://127.0.0.1:${ports.control}`,
    console,
    env,
    seconds,
    missing,
    kill(signal) {
      child.kill(signal);
      return exited;
    },
  };
}
