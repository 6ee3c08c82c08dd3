import { readdir, readlink } from 'node:fs/promises';
import {
  type Account,
  createDeployment,
  type Deployment,
  type ServerProcess,
  uploadForm,
  uploadToken,
} from '@millpond/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { randomContent } from '../support/objects.ts';
import { type EngineProxy, openProxy, throughProxy } from '../support/proxy.ts';
import { openConnection, requestBytes } from '../support/raw.ts';
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

test('a client that leaves in the middle of a large object stops the read from the engine [download-08]', async () => {
  const before = engine?.received ?? 0;
  const clients = await Promise.all([1, 2, 3].map(() => openConnection(server.url)));
  for (const { socket } of clients) {
    socket.write(requestBytes(server.url, { target: `/${BUCKET}/large` }));
    socket.once('data', () => socket.pause());
  }
  const reading = () => (engine === undefined ? openBlobs() : Promise.resolve(engine.received - before));
  await expect.poll(reading, { timeout: 10_000 }).toBeGreaterThan(engine === undefined ? 2 : MIB);
  // What the sockets on the way hold is read; a client that reads no further lets no more come.
  for (const { socket } of clients) socket.destroy();
  if (engine === undefined) {
    await expect.poll(openBlobs, { timeout: 5000 }).toBe(0);
    return;
  }
  const { received } = engine;
  expect(received - before).toBeLessThan(clients.length * SIZE);
  await new Promise((resolve) => setTimeout(resolve, 1000));
  expect(engine.received - received).toBeLessThan(MIB);
});
