/** What `millpond cp` says while it works, and at the end. */
import { once } from 'node:events';
import { createConnection, createServer, type Socket } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { finishCommand } from '@millpond/testing';
import { expect, onTestFinished, test } from 'vitest';
import { randomContent } from '../support/objects/objects.ts';
import { useCommandLine } from '../support/running/cli.ts';
import { sdkClient } from '../support/running/sdk.ts';
import { newBucket, target } from '../support/target.ts';

const MIB = 1024 * 1024;
const cli = useCommandLine();

/** Stands between client and server; what the server sends passes at so many bytes a second. */
async function startSlowLine(bytesPerSecond: number): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    const onwards = createConnection(Number(new URL(target.url).port), '127.0.0.1');
    for (const each of [socket, onwards]) {
      sockets.add(each);
      each.on('error', () => undefined);
      each.on('close', () => [socket, onwards].map((end) => end.destroy()));
    }
    socket.pipe(onwards);
    void (async () => {
      for await (const chunk of onwards as AsyncIterable<Buffer>) {
        socket.write(chunk);
        await sleep((chunk.length * 1000) / bytesPerSecond);
      }
      socket.end();
    })().catch(() => undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return `http://127.0.0.1:${address.port}`;
}

test('a single download has a share, a rate and an end, and was received', async () => {
  const bucket = await newBucket();
  await sdkClient().upload(bucket, 'video', randomContent(8 * MIB));
  const environment = { ...cli.environment, MILLPOND_ENDPOINT: await startSlowLine(MIB) };
  const { code, stdout, stderr } = await finishCommand(environment, [
    'cp',
    `:${bucket}/video`,
    path.join(cli.folder, 'video'),
  ]);
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(/^1 copied \(8\.0 MiB\) in .* [KM]iB\/s received; /),
  ]);
  expect(stderr).toMatch(/ [1-9]\d? % {2}0\/1 {2}\d\.\d MiB of 8\.0 MiB {2}\S+ [KM]iB\/s {2}\d+:\d\d left$/m);
});
