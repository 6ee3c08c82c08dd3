/** A shell at a terminal, and somebody who types: what a line becomes by the tab key. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { vi } from 'vitest';

export interface TypingShell {
  /** The line after a tab, as the shell has it. */
  complete(line: string): Promise<string>;
  close(): Promise<void>;
}

/** Ctrl-O: the shell prints its line between marks, and forgets it. */
const SHOWS = {
  bash: `bind -x '"\\C-o": printf "\\n<<%s>>\\n" "$READLINE_LINE"; READLINE_LINE=; READLINE_POINT=0'; bind 'set bell-style none'`,
  zsh: `show() { print; print -r -- "<<$BUFFER>>"; BUFFER= }; zle -N show; bindkey '^O' show; unsetopt beep`,
};
const STARTS = { bash: 'bash --norc --noprofile -i', zsh: 'zsh -f -i' };

export function isInstalled(program: string): boolean {
  return spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
}

export async function startTyping(
  shell: 'bash' | 'zsh',
  setUp: string,
  { cwd, env }: { cwd: string; env: Readonly<Record<string, string | undefined>> },
): Promise<TypingShell> {
  // `script`, of every Debian, gives it a terminal.
  const child = spawn('script', ['-qfc', STARTS[shell], '/dev/null'], {
    cwd,
    env: { ...env, TERM: 'dumb', PS1: '> ' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (piece: Buffer) => {
    output += piece.toString();
  });
  const said = async (form: RegExp): Promise<string> => {
    try {
      const [, found = ''] = await vi.waitUntil(() => form.exec(output), { timeout: 300_000 });
      return found;
    } catch (cause) {
      throw new Error(`${shell} did not say ${form}, but: ${output}`, { cause });
    } finally {
      output = '';
    }
  };
  child.stdin.write(`${setUp}\n${SHOWS[shell]}\necho ready $((40 + 2))\n`);
  await said(/ready 42/);
  return {
    complete(line) {
      child.stdin.write(`${line}\t\x0f`);
      return said(/<<(.*)>>/);
    },
    async close() {
      const ended = once(child, 'close');
      child.stdin.end('exit\n');
      await ended;
    },
  };
}
