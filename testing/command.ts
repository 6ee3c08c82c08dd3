/** Runs the `millpond` command as an operator would. */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

export const COMMAND = path.join(import.meta.dirname, '../packages/cli/bin/millpond.js');

/** What a command sees of the environment: its settings, and no configuration file that happens to lie around. */
export function commandEnvironment(
  settings: Readonly<Record<string, string>>,
): Record<string, string | undefined> {
  return { PATH: process.env.PATH, MILLPOND_CONFIG: '/dev/null', ...settings };
}

/** The standard output of a command that ended well. */
export async function runCommand(
  settings: Readonly<Record<string, string>>,
  args: readonly string[],
): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [COMMAND, ...args], {
    env: commandEnvironment(settings),
  });
  return stdout;
}
