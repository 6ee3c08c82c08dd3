// Runs one command to its end, in its own small environment: variables such as CEPH_ARGS or PGOPTIONS in the caller's
// would change what the engines' tools do. What goes in on stdin (passwords, keys) is never part of an error message.

import { spawn } from 'node:child_process';
import { EngineError } from './fault.ts';

export type Account = { uid: number; gid: number };

export type RunOptions = {
  input?: string;
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  account?: Account | undefined;
};

export async function run(command: string, args: string[], options: RunOptions = {}): Promise<string> {
  const { code, output, errors } = await attempt(command, args, options);
  if (code !== 0) {
    const tail = (errors || output).trimEnd().split('\n').slice(-15).join('\n');
    throw new EngineError(`${command} ${args[0] ?? ''} exited with ${code}: ${tail}`);
  }
  return output;
}

export type Outcome = { code: number | string; output: string; errors: string };

export function attempt(command: string, args: string[], options: RunOptions = {}): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: options.cwd,
      env: { PATH: process.env.PATH, HOME: process.env.HOME, LC_ALL: 'C.UTF-8', ...options.env },
      ...options.account,
    });
    let output = '';
    let errors = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors += text;
    });
    child.on('error', (error) => resolve({ code: 127, output, errors: error.message }));
    child.on('close', (code, signalName) => resolve({ code: code ?? signalName ?? 1, output, errors }));
    // A command may exit without having read its input.
    child.stdin.on('error', () => undefined);
    child.stdin.end(options.input ?? '');
  });
}
