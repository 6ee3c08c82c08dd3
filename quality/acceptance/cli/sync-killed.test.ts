/** `millpond sync` that was killed, or whose source was changed meanwhile: what was sent is not sent again, and nothing is left half. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { COMMAND, finishCommand } from '@millpond/testing';
import { expect, onTestFinished, test, vi } from 'vitest';
import { randomContent } from '../support/objects/objects.ts';
import { keysOf, treeIn } from '../support/objects/trees.ts';
import { type RecordingProxy, startRecordingProxy } from '../support/receivers/recording-proxy.ts';
import { useCommandLine } from '../support/running/cli.ts';
import { sdkClient } from '../support/running/sdk.ts';
import { newBucket } from '../support/target.ts';

const MIB = 1024 * 1024;
const cli = useCommandLine();

function environmentOf(line: RecordingProxy): Record<string, string> {
  return { ...cli.environment, MILLPOND_ENDPOINT: line.url };
}

function start(line: RecordingProxy, args: readonly string[]): ChildProcess {
  const env = { PATH: process.env.PATH, ...environmentOf(line) };
  const child = spawn(process.execPath, [COMMAND, 'sync', ...args], { env, stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'close');
}

async function summary(line: RecordingProxy, args: readonly string[]): Promise<Record<string, unknown>> {
  const { stdout } = await finishCommand(environmentOf(line), ['sync', ...args, '--json']);
  return JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as Record<string, unknown>;
}

test('killed in the middle and called again, it sends no file and no part twice', async () => {
  const [count, parts] = [60, 8];
  const bucket = await newBucket();
  const files = Object.fromEntries(Array.from({ length: count }, (_, n) => [`f${n}`, randomContent(3000)]));
  const folder = await treeIn(path.join(cli.folder, 'killed'), {
    ...files,
    // First in order, so that it is under way with the others.
    'a video': randomContent(parts * 4 * MIB),
  });
  const line = await startRecordingProxy();
  const args = [folder, `:${bucket}`, '--concurrency', '8'];
  const isForm = ({ method, target }: { method: string; target: string }) =>
    method === 'POST' && target === '/';
  const isPart = ({ method, target }: { method: string; target: string }) =>
    method === 'PUT' && /\/uploads\/[^/]+\/\d+$/.test(target);

  let [forms, puts] = [0, 0];
  line.hold((request) => (isForm(request) && ++forms > 25) || (isPart(request) && ++puts > 3));
  const first = start(line, args);
  await vi.waitUntil(
    () => line.held().some((target) => target === '/') && line.held().some((target) => target !== '/'),
    {
      timeout: 300_000,
      interval: 20,
    },
  );
  await kill(first);
  await line.quiet();
  line.release();
  const there = await keysOf(bucket);
  expect(there.length).toBeGreaterThan(0);
  expect(there.length).toBeLessThan(count);

  expect(await summary(line, args)).toMatchObject({
    done: count + 1 - there.length,
    skipped: there.length,
    failed: 0,
  });
  const stored = line.ended.filter(({ status }) => status === 200);
  expect(stored.filter(isForm)).toHaveLength(count);
  const numbers = stored.filter(isPart).map(({ target }) => Number(target.split('/').at(-1)));
  expect(numbers.sort((one, other) => one - other)).toEqual(Array.from({ length: parts }, (_, n) => n + 1));
  // Neither does a third.
  const before = line.ended.length;
  expect(await summary(line, args)).toMatchObject({ done: 0, skipped: count + 1 });
  expect(line.ended.slice(before).every(({ method }) => method === 'GET')).toBe(true);
});

test('a killed download leaves no half file under its name, and goes on where it was', async () => {
  const size = 12 * MIB;
  const bucket = await newBucket();
  const content = randomContent(size);
  await sdkClient().upload(bucket, 'video', content);
  const folder = await treeIn(path.join(cli.folder, 'killed-down'), {});
  const line = await startRecordingProxy();
  const args = [`:${bucket}`, folder];
  const part = async () => (await readdir(folder)).find((name) => name.endsWith('.part'));

  line.holdAnswers((target) => target.includes('/video'), 5 * MIB);
  const first = start(line, args);
  await vi.waitUntil(
    async () => {
      const name = await part();
      return name !== undefined && (await stat(path.join(folder, name))).size >= 4 * MIB;
    },
    { timeout: 300_000, interval: 20 },
  );
  await kill(first);
  expect(existsSync(path.join(folder, 'video'))).toBe(false);
  const { size: left } = await stat(path.join(folder, (await part()) ?? ''));
  line.release();

  expect(await summary(line, args)).toMatchObject({ done: 1, failed: 0, received: size - left });
  expect(await readdir(folder)).toEqual(['video']);
  expect((await readFile(path.join(folder, 'video'))).equals(content)).toBe(true);
});

test('a file that is changed while it is sent fails, and the next sync sends it as it is then', async () => {
  const bucket = await newBucket();
  const file = path.join(cli.folder, 'changing/video');
  const folder = await treeIn(path.dirname(file), { video: randomContent(24 * MIB), other: 'o' });
  const line = await startRecordingProxy();
  const args = ['sync', folder, `:${bucket}`];
  line.hold(({ method }) => method === 'PUT');
  const running = finishCommand(environmentOf(line), args);
  await vi.waitUntil(() => line.held().length > 0, { timeout: 300_000, interval: 20 });
  await writeFile(file, randomContent(24 * MIB));
  line.release();
  const { code, stderr } = await running;
  expect([code, stderr]).toEqual([1, expect.stringContaining('changed while it was being read')]);
  expect(await keysOf(bucket)).toEqual(['other']);
  expect(await summary(line, args.slice(1))).toMatchObject({ done: 1, skipped: 1, failed: 0 });
});
