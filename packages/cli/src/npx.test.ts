/** What a killed `npx millpond …` leaves: nothing, whichever command it was. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { COMMAND } from '@millpond/testing';
import { expect, onTestFinished, test } from 'vitest';

/** As npx starts a command: by a shell, which is all that a signal to npx ends. */
function startByNpx(...args: string[]) {
  const words = [process.execPath, COMMAND, ...args].map((word) => `'${word}'`).join(' ');
  // More than one command, or the shell would become the first.
  return spawn('sh', ['-c', `${words}; exit $?`], {
    env: { PATH: process.env.PATH, npm_command: 'exec' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

test('a killed `npx millpond listen` leaves no process', async () => {
  const shell = startByNpx('listen', '--port', '0', '--json');
  const [line] = (await once(createInterface({ input: shell.stdout }), 'line')) as [string];
  const { listening } = JSON.parse(line) as { listening: string };
  const { status } = await fetch(listening, { method: 'POST' });
  expect(status).toBe(401);
  // Whoever still runs holds the output open.
  const closed = once(shell.stdout, 'close');
  const started = Number(readFileSync(`/proc/${shell.pid}/task/${shell.pid}/children`, 'utf8'));
  onTestFinished(() => {
    if (existsSync(`/proc/${started}`)) process.kill(started, 'SIGKILL');
  });
  shell.kill('SIGKILL');
  await closed;
  await expect(fetch(listening)).rejects.toThrow('fetch failed');
});
