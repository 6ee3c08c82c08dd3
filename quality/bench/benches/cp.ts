/**
 * The command line's transfers, five ways: many small files next to the server's own put rate; the same, killed in the
 * middle; a large file whose client and server are killed; a list of a whole bucket; and a comparison of two buckets,
 * with the memory that it takes.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, mkdirSync, mkdtempSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@millpond/testing';
import { type UserCommand, userCommand } from '../clients/command.ts';
import { countRows } from '../database.ts';
import { fillObjects } from '../fill.ts';
import { startDriver } from '../load/driver.ts';
import type { Options } from '../options.ts';
import { openStage, type Stage } from '../stage.ts';
import { median, rounded, spread } from '../statistics.ts';
import { putWork } from './put.ts';

const FILES = 10_000;
const FILE_BYTES = 20 * 1024;
const LARGE_BYTES = 2 * 1024 ** 3;
const KEYS = 1_000_000;
const MIB = 1024 * 1024;
const PIECE = 16 * MIB;
const PER_FOLDER = 500;

type Figures = Readonly<Record<string, unknown>>;
type Bench = (options: Options, cleanup: AsyncDisposableStack) => Promise<Figures>;

export async function benchCp(options: Options, cleanup: AsyncDisposableStack): Promise<Figures> {
  const modes: Partial<Record<Options['mode'], Bench>> = { rate, killed, large, list, sync };
  return { name: 'cp', mode: options.mode, ...(await modes[options.mode]?.(options, cleanup)) };
}

async function open(
  options: Options,
  cleanup: AsyncDisposableStack,
  store: 's3' | 'disk',
  settings: Record<string, string> = {},
  bucketCount = 1,
): Promise<{ stage: Stage; command: UserCommand; bucket: string }> {
  const stage = await openStage({ store, quiet: options.json, settings, bucketCount });
  cleanup.defer(() => stage.close());
  const command = userCommand(stage, stage.server.url);
  cleanup.defer(() => command.remove());
  return { stage, command, bucket: stage.buckets[0] ?? '' };
}

async function filesFor(cleanup: AsyncDisposableStack, make: () => string): Promise<string> {
  const folder = make();
  cleanup.defer(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** `ours`: files per second with the command, including its start; `bare`: puts per second by the load process. */
const rate: Bench = async (options, cleanup) => {
  const count = options.rows || FILES;
  const { stage, command, bucket } = await open(options, cleanup, 's3');
  const folder = await filesFor(cleanup, () => manyFiles(count, FILE_BYTES));
  const driver = startDriver();
  cleanup.defer(() => driver.stop());
  const { concurrency, seconds } = options;
  const rounds: { ours: number; bare: number; ratio: number }[] = [];
  for (let round = 0; round <= options.rounds; round++) {
    const work = putWork(stage, FILE_BYTES, `put/${round}/`);
    const bare = (await driver.run({ work, concurrency, seconds })).opsPerSecond;
    const args = ['cp', '-r', folder, `:${bucket}/cp/${round}`, '--json', '--no-resume'];
    const run = await command.run([...args, '--concurrency', String(concurrency)]);
    if (run.code !== 0 || run.last.done !== count) throw new Error(`cp exited with ${run.code}`);
    const ours = count / run.seconds;
    // The first round warms up both.
    if (round > 0) rounds.push({ ours: rounded(ours), bare: rounded(bare), ratio: rounded(ours / bare) });
  }
  const ratios = rounds.map(({ ratio }) => ratio);
  const middle = (name: 'ours' | 'bare') => rounded(median(rounds.map((round) => round[name])));
  const ratio = rounded(median(ratios));
  return {
    files: count,
    bytes: FILE_BYTES,
    concurrency,
    ours: middle('ours'),
    bare: middle('bare'),
    ratio,
    spread: spread(ratios),
    rounds,
  };
};

const killed: Bench = async (options, cleanup) => {
  const count = options.rows || FILES;
  const { stage, command, bucket } = await open(options, cleanup, 'disk');
  const folder = await filesFor(cleanup, () => manyFiles(count, FILE_BYTES));
  const args = ['cp', '-r', folder, `:${bucket}/cp`, '--json'];
  const first = command.start(args);
  first.stdout?.resume();
  for (let noted = 0; noted < count / 2; await sleep(10)) noted = await noteCount(command);
  first.kill('SIGKILL');
  await once(first, 'close');
  const there = await countRows(stage.regionDb, 'SELECT count(*) FROM region.objects');
  const { last, code } = await command.run(args);
  if (code !== 0) throw new Error(`the second cp exited with ${code}`);
  const again = (last.done ?? 0) - (count - there);
  return {
    files: count,
    storedBeforeKill: there,
    sentBySecond: last.done,
    sentAgain: again,
    share: rounded(again / count),
  };
};

async function noteCount(command: UserCommand): Promise<number> {
  try {
    return command.noted();
  } catch {
    return 0;
  }
}

const large: Bench = async (options, cleanup) => {
  const bytes = options.rows === 0 ? LARGE_BYTES : options.rows * MIB;
  const listen = { MILLPOND_LISTEN: `http://127.0.0.1:${await freePort()}` };
  const { stage, command, bucket } = await open(options, cleanup, 'disk', listen);
  const folder = await filesFor(cleanup, () => largeFile(bytes));
  const args = ['cp', path.join(folder, 'large.bin'), `:${bucket}/large`, '--json'];
  const stored = async () => blobBytes(stage.deployment.diskRoot);

  const first = command.start(args);
  first.stdout?.resume();
  while ((await stored()) < bytes / 3) await sleep(20);
  first.kill('SIGKILL');
  await once(first, 'close');
  const afterFirst = await stored();

  const second = command.start(args);
  second.stdout?.resume();
  const ended = once(second, 'close');
  while ((await stored()) < (bytes * 2) / 3) await sleep(20);
  await stage.server.kill('SIGKILL');
  const server = await stage.deployment.start();
  cleanup.defer(() => server.kill('SIGTERM'));
  const [code] = (await ended) as [number];
  const runs = [code];
  while (runs.at(-1) === 5) runs.push((await command.run(args)).code ?? -1);
  return {
    bytes,
    storedWhenTheClientWasKilled: afterFirst,
    codesAfterTheServerWasKilled: runs,
    // Parts that were sent twice are stored twice until they are swept.
    sentInAll: await stored(),
    sentAgain: rounded(((await stored()) - bytes) / bytes),
  };
};

async function blobBytes(root: string): Promise<number> {
  let sum = 0;
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    sum += await stat(path.join(entry.parentPath, entry.name)).then(
      ({ size }) => size,
      () => 0,
    );
  }
  return sum;
}

const list: Bench = async (options, cleanup) => {
  const keys = options.rows || KEYS;
  const { stage, command, bucket } = await open(options, cleanup, 'disk');
  await fillObjects(stage.regionDb, keys, () => undefined);
  const runs = [];
  for (let round = 0; round < options.rounds; round++)
    runs.push(await command.run(['ls', '-r', `:${bucket}`]));
  if (runs.some(({ code, lines }) => code !== 0 || lines !== keys)) throw new Error('the list is incomplete');
  return {
    keys,
    keysPerSecond: rounded(keys / median(runs.map(({ seconds }) => seconds))),
    memory: rounded(Math.max(...runs.map(({ memory }) => memory))),
  };
};

/** Two buckets with the same contents: nothing has to be copied, so the cost is that of comparing. */
const sync: Bench = async (options, cleanup) => {
  const keys = options.rows || KEYS;
  const { stage, command } = await open(options, cleanup, 'disk', {}, 2);
  await fillObjects(stage.regionDb, 2 * keys, () => undefined);
  const [from, to] = stage.buckets;
  const runs = [];
  for (let round = 0; round < options.rounds; round++)
    runs.push(await command.run(['sync', `:${from}`, `:${to}`, '--delete', '--json']));
  if (runs.some(({ code, last }) => code !== 0 || last.skipped !== keys || last.done !== 0))
    throw new Error('the buckets are not the same');
  return {
    keys,
    keysPerSecond: rounded(keys / median(runs.map(({ seconds }) => seconds))),
    memory: rounded(Math.max(...runs.map(({ memory }) => memory))),
  };
};

/** Small ones, in folders. */
function manyFiles(count: number, bytes: number): string {
  const root = mkdtempSync(path.join(tmpdir(), 'millpond-bench-files-'));
  for (let n = 0; n < count; n++) {
    const folder = path.join(root, String(Math.floor(n / PER_FOLDER)));
    if (n % PER_FOLDER === 0) mkdirSync(folder);
    writeFileSync(path.join(folder, `${n}.bin`), randomBytes(bytes));
  }
  return root;
}

function largeFile(bytes: number): string {
  const root = mkdtempSync(path.join(tmpdir(), 'millpond-bench-files-'));
  const handle = openSync(path.join(root, 'large.bin'), 'w');
  for (let at = 0; at < bytes; at += PIECE) writeSync(handle, randomBytes(Math.min(PIECE, bytes - at)));
  closeSync(handle);
  return root;
}
