/**
 * Runs the commands of a guide in one shell, as printed, and reports what each block printed. For a command that is
 * left running (`… > file &`), it waits until the command has printed something, as a reader would.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text as readAll } from 'node:stream/consumers';
import { type Block, blocksOf, prints } from './blocks.ts';

export interface GuidePlace {
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Commands that can't run under test, and what runs instead. */
  readonly instead?: Readonly<Record<string, string>>;
  /** Places in a real deployment, and the test's places that replace them. */
  readonly replace?: Readonly<Record<string, string>>;
  /** Gets everything that was printed, even by a guide that failed. */
  readonly onOutput?: (output: string) => void;
  /** Run at the end of a failed guide, in place of what it would have done itself. */
  readonly afterFailure?: string;
  readonly withinMs: number;
  /** A command that runs the shell somewhere else, in a container: `folder` and `environment` are then only its own. */
  readonly enter?: readonly string[];
}

const MARK = '\u0001guide ';

/** Rejects with the first block that failed, or that did not print what the page says. */
export async function runGuide(name: string, markdown: string, place: GuidePlace): Promise<number> {
  try {
    return await runBlocks(name, blocksOf(markdown), place);
  } catch (error) {
    if (place.afterFailure !== undefined) await runShell(place.afterFailure, place);
    throw error;
  }
}

async function runBlocks(name: string, blocks: readonly Block[], place: GuidePlace): Promise<number> {
  const { output, code } = await runShell(scriptOf(blocks, place), place);
  place.onOutput?.(output);
  const parts = output.split(MARK).slice(1);
  for (const [index, block] of blocks.entries()) {
    const at = `${name}:${block.line}`;
    const said = parts[index]?.slice(parts[index].indexOf('\n') + 1);
    if (said === undefined) throw new Error(`${at} was not reached`);
    if (index === parts.length - 1 && code !== 0)
      throw new Error(`${at} exited with ${code}:\n${block.commands.join('\n')}\n${said.slice(-3000)}`);
    const expected = replaced(block.printed?.join('\n') ?? '', place);
    if (!prints(said, expected.split('\n')))
      throw new Error(`${at} should print\n${expected}\nand printed\n${said.slice(-3000)}`);
  }
  if (blocks.length === 0) throw new Error(`${name} has no commands`);
  return blocks.flatMap(({ commands }) => commands).length;
}

function scriptOf(blocks: readonly Block[], place: GuidePlace): string {
  const { instead = {} } = place;
  const script = blocks
    .flatMap(({ commands, line }) => [
      `printf '\\001guide %s\\n' ${line}`,
      ...commands.flatMap((command) => [instead[command] ?? command, ...waitFor(command)]),
    ])
    .join('\n');
  return replaced(script, place);
}

function replaced(text: string, { replace = {} }: GuidePlace): string {
  return Object.entries(replace).reduce((changed, [from, to]) => changed.replaceAll(from, to), text);
}

function waitFor(command: string): string[] {
  const file = />\s*(\S+)(?:\s+2>&1)?\s*&$/.exec(command)?.[1];
  return file === undefined ? [] : [`until [ -s ${file} ] || ! kill -0 $!; do sleep 0.1; done`];
}

async function runShell(script: string, place: GuidePlace): Promise<{ output: string; code: number | null }> {
  const [program = '', ...args] = (place.enter ?? []).concat(
    'bash',
    '-euo',
    'pipefail',
    '-c',
    `exec 2>&1\n${script}`,
  );
  const shell = spawn(program, args, {
    cwd: place.folder,
    env: place.environment,
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  const group = -(shell.pid ?? 0);
  const timer = setTimeout(() => process.kill(group, 'SIGKILL'), place.withinMs);
  const exited = once(shell, 'exit').then(([code]) => {
    clearTimeout(timer);
    // What it left running belongs to its process group, and holds its output open.
    try {
      process.kill(group, 'SIGTERM');
    } catch {
      // Everything has ended by itself.
    }
    return code as number | null;
  });
  const [output, code] = await Promise.all([readAll(shell.stdout), exited]);
  return { output, code };
}
