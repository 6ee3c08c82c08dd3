/** Runs the `millpond` command as an operator would. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { text as readAll } from 'node:stream/consumers';

/** In a test run, the command that was bundled before it, see bundle.ts; otherwise that of the sources. */
export const COMMAND =
  process.env.MILLPOND_TEST_COMMAND ?? path.join(import.meta.dirname, '../../packages/cli/bin/millpond.js');

/** What a server loads whose clock is to jump. */
export const CLOCK_JUMP = path.join(import.meta.dirname, 'clock-jump.ts');

const RECORDER = path.join(import.meta.dirname, '../conformance/answers/recorder.ts');

/** A command and the Node that runs it. */
export interface Program {
  readonly node: string;
  readonly command: string;
}

const ownProgram: Program = { node: process.execPath, command: COMMAND };

/**
 * The command of another version: of a checkout with its sources, its packages, its Node; or of a folder in which the published packages are
 * installed, and which has no Node of its own.
 */
export function programOf(version: string): Program {
  const source = path.join(version, 'packages/cli/bin/millpond.js');
  return existsSync(source)
    ? { node: path.join(version, 'node_modules/.bin/node'), command: source }
    : {
        node: process.execPath,
        command: path.join(version, 'node_modules/millpond/bin/millpond.js'),
      };
}

/** Where it has the steps that make its tables. */
export function migrationsOf(version: string): string {
  const source = path.join(version, 'packages/server/migrations');
  return existsSync(source) ? source : path.join(version, 'node_modules/@millpond/server/migrations');
}

/** The environment that a command sees: its settings, and no configuration file that happens to lie around. */
export function commandEnvironment(
  settings: Readonly<Record<string, string>>,
): Record<string, string | undefined> {
  return { PATH: process.env.PATH, MILLPOND_CONFIG: '/dev/null', ...recording(), ...settings };
}

/** Where MILLPOND_TEST_ANSWERS names a folder, servers write down there what they answer: see quality/conformance/answers. */
function recording(): Record<string, string> {
  const { MILLPOND_TEST_ANSWERS } = process.env;
  if (MILLPOND_TEST_ANSWERS === undefined) return {};
  return { MILLPOND_TEST_ANSWERS, NODE_OPTIONS: `--import=${RECORDER}` };
}

export interface FinishedCommand {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command to its end, whatever its outcome, with `input` on its standard input. */
export async function finishCommand(
  settings: Readonly<Record<string, string>>,
  args: readonly string[],
  input: string | Uint8Array = '',
  { node, command } = ownProgram,
): Promise<FinishedCommand> {
  const child = spawn(node, [command, ...args], { env: commandEnvironment(settings) });
  // A command that does not read its input may have exited before it is written.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const [stdout, stderr, [code]] = await Promise.all([
    readAll(child.stdout),
    readAll(child.stderr),
    once(child, 'close'),
  ]);
  return { code: code as number, stdout, stderr };
}

/** The standard output of a command that succeeded. */
export async function runCommand(
  settings: Readonly<Record<string, string>>,
  args: readonly string[],
  input = '',
  program = ownProgram,
): Promise<string> {
  const { code, stdout, stderr } = await finishCommand(settings, args, input, program);
  if (code !== 0) throw new Error(`millpond ${args.join(' ')} exited with ${code}: ${stderr}`);
  return stdout;
}
