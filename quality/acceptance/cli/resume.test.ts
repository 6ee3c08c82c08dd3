/** Transfers that were killed: the same command goes on, and sends next to nothing again. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createConnection, createServer, type Socket } from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { etagOf } from '@millpond/protocol';
import { COMMAND, createDeployment, type Deployment, freePort, hashing } from '@millpond/testing';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { randomContent } from '../support/objects/objects.ts';
import { useCommandLine } from '../support/running/cli.ts';
import { collected, sdkClient } from '../support/running/sdk.ts';
import { newBucket, target } from '../support/target.ts';

const MIB = 1024 * 1024;
const cli = useCommandLine();

function start(args: readonly string[], environment: Readonly<Record<string, string>> = cli.environment) {
  const child = spawn(process.execPath, [COMMAND, ...args], {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 60_000; Date.now() < end; ) {
    if (await isSo()) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`${what} did not happen`);
}

test('many files, killed in the middle: only those that were under way are sent again', async () => {
  const [count, lanes] = [400, 16];
  const bucket = await newBucket();
  const folder = path.join(cli.folder, 'many');
  await mkdir(folder);
  for (let n = 0; n < count; n++) await writeFile(path.join(folder, `f${n}`), randomContent(2000));
  const line = await startLine(Number(new URL(target.url).port));
  const environment = { ...cli.environment, MILLPOND_ENDPOINT: line.url };
  const args = ['cp', '-r', folder, `:${bucket}`, '--json', '--concurrency', String(lanes)];

  line.holdAfter(count * 1000);
  const first = start(args, environment);
  first.stdout.resume();
  await until('the line is held', line.isHeld);
  first.kill('SIGKILL');
  await once(first, 'close');
  line.letGo();
  const there = (await collected(sdkClient().objects.list(bucket))).length;
  expect(there).toBeLessThan(count);

  const summaryOf = async () => {
    const lines = createInterface({ input: start(args, environment).stdout });
    return JSON.parse((await collected(lines)).at(-1) ?? '') as { done: number; skipped: number };
  };
  const summary = await summaryOf();
  expect(summary).toMatchObject({ status: 'summary', failed: 0 });
  expect(summary.done + summary.skipped).toBe(count);
  // With 10,000 files this would be 0.16 %.
  expect(summary.done - (count - there)).toBeLessThanOrEqual(lanes);
  expect(await collected(sdkClient().objects.list(bucket))).toHaveLength(count);

  // All is done: the next copy is a new one.
  expect(await summaryOf()).toMatchObject({ done: count, skipped: 0 });
});

/** Stands between client and server, counts what the client sends, and stops when told. */
async function startLine(port: number) {
  let [passed, limit] = [0, Number.POSITIVE_INFINITY];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    const onwards = createConnection(port, '127.0.0.1');
    for (const each of [socket, onwards]) {
      sockets.add(each);
      each.on('error', () => undefined);
      each.on('close', () => {
        sockets.delete(each);
        socket.destroy();
        onwards.destroy();
      });
    }
    onwards.pipe(socket);
    socket.on('data', (chunk) => {
      passed += chunk.length;
      if (passed >= limit) socket.pause();
      if (!onwards.write(chunk)) {
        socket.pause();
        onwards.once('drain', () => passed < limit && socket.resume());
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    passed: () => passed,
    /** Lets so many bytes more through, then none. */
    holdAfter: (bytes: number) => {
      limit = passed + bytes;
    },
    isHeld: () => passed >= limit,
    letGo: () => {
      limit = Number.POSITIVE_INFINITY;
      for (const socket of sockets) socket.destroy();
    },
  };
}

let deployment: Deployment;
beforeAll(async () => {
  deployment = await createDeployment({ store: target.store });
});
afterAll(() => deployment?.destroy());

test('a large file goes on after its client was killed, and after its server was', async () => {
  const bucket = 'resumed';
  const account = await deployment.createAccount(undefined, bucket);
  const port = await freePort();
  const settings = { MILLPOND_LISTEN: `http://127.0.0.1:${port}` };
  let server = await deployment.start({ settings });
  const line = await startLine(port);
  const environment = {
    ...cli.environment,
    XDG_STATE_HOME: path.join(cli.folder, 'large-state'),
    MILLPOND_ENDPOINT: line.url,
    MILLPOND_ACCESS_KEY: account.accessKey,
    MILLPOND_SECRET_KEY: account.secretKey,
  };
  const content = randomContent(64 * MIB);
  const file = path.join(cli.folder, 'large');
  await writeFile(file, content);
  const args = ['cp', file, `:${bucket}/large`, '--json'];

  line.holdAfter(28 * MIB);
  const first = start(args, environment);
  await until('the line is held', line.isHeld);
  first.kill('SIGKILL');
  await once(first, 'close');
  line.letGo();
  expect(await readdir(path.join(environment.XDG_STATE_HOME, 'millpond/uploads'))).toHaveLength(1);

  line.holdAfter(24 * MIB);
  const second = start(args, environment);
  await until('the line is held again', line.isHeld);
  await server.kill('SIGKILL');
  server = await deployment.start({ settings });
  line.letGo();
  const [code] = (await once(second, 'close')) as [number];
  expect(code).toBe(0);

  const client = sdkClient({ url: server.url, credentials: account });
  expect(await client.objects.stat(bucket, 'large')).toMatchObject({ hash: etagOf(hashing, content) });
  // Parts that were under way at each of the two kills, and heads of requests.
  expect(line.passed()).toBeLessThan((64 + 2 * 16 + 8) * MIB);
  expect(await readdir(path.join(environment.XDG_STATE_HOME, 'millpond/uploads'))).toEqual([]);
  expect((await readFile(file)).equals(content)).toBe(true);
});

test('an interrupt ends with 130, and says that the same command goes on', async () => {
  const line = await startLine(Number(new URL(target.url).port));
  const bucket = await newBucket();
  const file = path.join(cli.folder, 'interrupted');
  await writeFile(file, randomContent(9 * MIB));
  const environment = { ...cli.environment, MILLPOND_ENDPOINT: line.url };
  line.holdAfter(5 * MIB);
  const child = start(['cp', file, `:${bucket}/k`], environment);
  await until('the line is held', line.isHeld);
  child.kill('SIGINT');
  expect(await once(child, 'close')).toEqual([130, null]);
  line.letGo();
  expect((await cli.json(['cp', file, `:${bucket}/k`])).at(-1)).toMatchObject({ done: 1, failed: 0 });
});
