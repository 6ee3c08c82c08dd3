/** An interrupted bench, as a user interrupts it, leaves no server, database or folder behind. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { familyOf } from '@millpond/testing';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';

const ROOT = path.join(import.meta.dirname, '../..');

/** Settings of a server that this process has started. */
async function settingsOf(pid: number): Promise<Map<string, string> | undefined> {
  for (const child of familyOf(pid)) {
    const text = await readFile(`/proc/${child}/environ`, 'utf8').catch(() => '');
    const settings = new Map(
      text.split('\0').map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    );
    const command = await readFile(`/proc/${child}/cmdline`, 'utf8').catch(() => '');
    if (settings.has('MILLPOND_REGION_DB') && command.includes('\0work\0')) return settings;
  }
  return undefined;
}

test('Ctrl-C takes down the server, its databases and its folder', async () => {
  const args = ['quality/bench/main.ts', 'deliveries', '--mode', 'latency', '--json'];
  const bench = spawn(process.execPath, args, { cwd: ROOT, stdio: 'ignore' });
  onTestFinished(() => void bench.kill('SIGKILL'));
  const pid = bench.pid ?? 0;
  await expect.poll(() => settingsOf(pid), { timeout: 300_000 }).toBeDefined();
  const settings = await settingsOf(pid);
  const folder = settings?.get('MILLPOND_DISK_ROOT') ?? '';
  expect(existsSync(folder)).toBe(true);
  const started = familyOf(pid).filter((each) => each !== pid);
  bench.kill('SIGINT');
  expect(await once(bench, 'exit')).toEqual([130, null]);
  expect(started.flatMap(familyOf)).toEqual([]);
  expect(existsSync(folder)).toBe(false);
  for (const name of ['MILLPOND_CONTROL_DB', 'MILLPOND_REGION_DB']) {
    const client = new pg.Client({ connectionString: settings?.get(name) ?? '' });
    await expect(client.connect()).rejects.toThrow('does not exist');
  }
});
