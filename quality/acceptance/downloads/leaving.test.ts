import { readdir, readlink } from 'node:fs/promises';
import {
  type Account,
  createDeployment,
  type Deployment,
  type ServerProcess,
  uploadForm,
  uploadToken,
} from '@millpond/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { randomContent } from '../support/objects/objects.ts';
import { openConnection, requestBytes } from '../support/raw.ts';
import { type EngineProxy, openProxy, throughProxy } from '../support/receivers/proxy.ts';
import { target } from '../support/target.ts';

const MIB = 1024 * 1024;
const SIZE = 64 * MIB;
const BUCKET = 'leaving';

let deployment: Deployment;
let server: ServerProcess;
let account: Account;
let engine: EngineProxy | undefined;

beforeAll(async () => {
  deployment = await createDeployment({ store: target.store });
  const endpoint = deployment.environment.MILLPOND_S3_ENDPOINT ?? '';
  if (target.store === 's3') engine = await openProxy(endpoint);
  const settings: Record<string, string> =
    engine === undefined ? {} : { MILLPOND_S3_ENDPOINT: throughProxy(endpoint, engine) };
  account = await deployment.createAccount(undefined, BUCKET);
  server = await deployment.start({ settings });
  const token = uploadToken(account, { scope: BUCKET });
  const answer = await uploadForm(server.url, randomContent(SIZE), { token, key: 'large' });
  expect(answer.status).toBe(200);
});
afterAll(async () => {
  await deployment?.destroy();
  await engine?.close();
});

/** Files of the disk store that the server has open. */
async function openBlobs(): Promise<number> {
  const folder = `/proc/${server.pid}/fd`;
  const links = await Promise.all(
    (await readdir(folder)).map((name) => readlink(`${folder}/${name}`).catch(() => '')),
  );
  return links.filter((link) => link.startsWith(deployment.diskRoot)).length;
}

/** Three clients that ask for the object and stop reading at its first bytes. */
async function beginReading(): Promise<{ leave(): void }> {
  const clients = await Promise.all([1, 2, 3].map(() => openConnection(server.url)));
  for (const { socket } of clients) {
    socket.write(requestBytes(server.url, { target: `/${BUCKET}/large` }));
    socket.once('data', () => socket.pause());
  }
  return {
    leave() {
      for (const { socket } of clients) socket.destroy();
    },
  };
}

describe('a client that leaves in the middle of a large object', () => {
  test.runIf(target.store === 'disk')('leaves no file open [download-08]', async () => {
    const clients = await beginReading();
    await expect.poll(openBlobs).toBe(3);
    clients.leave();
    await expect.poll(openBlobs).toBe(0);
  });

  test.runIf(target.store === 's3')('stops the read from the engine [download-08]', async () => {
    if (engine === undefined) throw new Error('there is no proxy before the engine');
    const proxy = engine;
    const before = { open: proxy.open, received: proxy.received };
    const clients = await beginReading();
    await expect.poll(() => proxy.received - before.received).toBeGreaterThan(3 * MIB);
    expect(proxy.open).toBeGreaterThan(before.open);
    clients.leave();
    // A connection in the middle of an answer can't be used again: it is closed, and the engine stops sending.
    await expect.poll(() => proxy.open).toBeLessThanOrEqual(before.open);
    expect(proxy.received - before.received).toBeLessThan((3 * SIZE) / 2);
  });
});
