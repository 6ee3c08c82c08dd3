/** The `millpond` command as a user of the installation under measurement: keys in the environment, its own home. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { COMMAND, residentMiB } from '@millpond/testing';
import type { Stage } from '../stage.ts';

export interface Run {
  readonly code: number | null;
  /** Number of lines of its whole output. */
  readonly lines: number;
  /** The last line, if it is JSON. */
  readonly last: Record<string, number>;
  readonly seconds: number;
  /** Peak resident memory, in megabytes. */
  readonly memory: number;
}

export interface UserCommand {
  readonly home: string;
  /** The uploads that the command remembers, and how many files it has noted as done. */
  noted(): number;
  start(args: readonly string[]): ChildProcess;
  run(args: readonly string[]): Promise<Run>;
  remove(): void;
}

const CHECK_INTERVAL_MS = 20;

export function userCommand({ account }: Stage, url: string): UserCommand {
  const home = mkdtempSync(path.join(tmpdir(), 'millpond-bench-home-'));
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    MILLPOND_ENDPOINT: url,
    MILLPOND_ACCESS_KEY: account.accessKey,
    MILLPOND_SECRET_KEY: account.secretKey,
  };
  const start = (args: readonly string[]) =>
    spawn(process.execPath, [COMMAND, ...args], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  return {
    home,
    start,
    noted() {
      const folder = path.join(home, '.local/state/millpond/cp');
      const texts = readdirSync(folder).map((file) => readFileSync(path.join(folder, file), 'latin1'));
      return texts.reduce((sum, text) => sum + text.split('\n').length - 1, 0);
    },
    async run(args) {
      const begun = performance.now();
      const child = start(args);
      let [memory, lines, last] = [0, 0, ''];
      const looking = setInterval(() => {
        memory = Math.max(memory, residentMiB(child.pid ?? 0, 'most'));
      }, CHECK_INTERVAL_MS);
      const ended = once(child, 'close') as Promise<[number | null]>;
      for await (const line of createInterface({ input: child.stdout })) {
        lines++;
        last = line;
      }
      const [code] = await ended;
      clearInterval(looking);
      const seconds = (performance.now() - begun) / 1000;
      const json = last.startsWith('{') ? (JSON.parse(last) as Record<string, number>) : {};
      return { code, lines, last: json, seconds, memory };
    },
    remove: () => rmSync(home, { recursive: true, force: true }),
  };
}
