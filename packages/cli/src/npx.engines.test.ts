/** What a killed `npx millpond …` leaves: nothing, whichever command it was, unless it was meant to stay. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { COMMAND, createDeployment, freePort } from '@millpond/testing';
import { expect, onTestFinished, test } from 'vitest';

/** As npx starts a command: by a shell, which is all that a signal to npx ends. */
function startByNpx(args: readonly string[], settings: Readonly<Record<string, string>> = {}) {
  const words = [process.execPath, COMMAND, ...args].map((word) => `'${word}'`).join(' ');
  // More than one command, or the shell would become the first.
  return spawn('sh', ['-c', `${words}; exit $?`], {
    env: { PATH: process.env.PATH, MILLPOND_CONFIG: '/dev/null', ...settings, npm_command: 'exec' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

test('a killed `npx millpond listen` leaves no process', async () => {
  const shell = startByNpx(['listen', '--port', '0', '--json']);
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

test('`npx millpond serve --background` goes on when npx has ended', async () => {
  const deployment = await createDeployment({ store: 'disk' });
  onTestFinished(() => deployment.destroy());
  const admin = `127.0.0.1:${await freePort()}`;
  const shell = startByNpx(['serve', '--background', '--log', path.join(deployment.diskRoot, 'log')], {
    ...deployment.environment,
    MILLPOND_LISTEN: `http://127.0.0.1:${await freePort()}`,
    MILLPOND_ADMIN_LISTEN: `http://${admin}`,
  });
  const [said] = await Promise.all([text(shell.stdout), once(shell, 'close')]);
  const pid = Number(/\(pid (\d+)/.exec(said)?.[1]);
  try {
    // It would look several times a second whether its parent is still there.
    await sleep(1000);
    expect((await fetch(`http://${admin}/readyz`)).status).toBe(200);
  } finally {
    process.kill(pid, 'SIGKILL');
    await expect.poll(() => existsSync(`/proc/${pid}`)).toBe(false);
  }
});
