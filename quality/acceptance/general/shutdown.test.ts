import {
  type Account,
  createDeployment,
  type Deployment,
  freePort,
  openRegionDatabase,
  type RegionDatabase,
  uploadToken,
} from '@millpond/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { statTarget } from '../support/objects/objects.ts';
import { openConnection, type RawConnection, rawFetch, requestBytes } from '../support/raw.ts';
import { BOUNDARY, field, file, wholeBody } from '../support/raw-form.ts';
import { type RunningCommand, startCommand } from '../support/running/command.ts';
import { authorize, sendSigned } from '../support/signing.ts';
import { target } from '../support/target.ts';

const BUCKET = 'shutdown';

let deployment: Deployment;
let account: Account;
let database: RegionDatabase;
beforeAll(async () => {
  deployment = await createDeployment({ store: target.store });
  database = await openRegionDatabase(deployment.environment.MILLPOND_REGION_DB ?? '');
  account = await deployment.createAccount(undefined, BUCKET);
});
afterAll(async () => {
  await database?.close();
  await deployment?.destroy();
});

interface Server extends RunningCommand {
  readonly url: string;
  readonly adminUrl: string;
}

/** `drainDelay` is how long a server that was told to end still listens. */
async function startServer(
  drainDelay = '500ms',
  settings: Readonly<Record<string, string>> = {},
): Promise<Server> {
  const [port, adminPort] = [await freePort(), await freePort()];
  const [url, adminUrl] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${adminPort}`];
  const command = startCommand(['serve'], {
    ...deployment.environment,
    MILLPOND_LISTEN: url,
    MILLPOND_ADMIN_LISTEN: adminUrl,
    MILLPOND_DRAIN_DELAY: drainDelay,
    MILLPOND_DRAIN_TIMEOUT: '20s',
    ...settings,
  });
  const ended = command.finished.then(({ output }) => {
    throw new Error(`the server ended before it was ready: ${output}`);
  });
  ended.catch(() => undefined);
  const ready = expect.poll(() => readiness(adminUrl), { interval: 50 }).toBe(200);
  await Promise.race([ready, ended]);
  return { ...command, url, adminUrl };
}

async function readiness(adminUrl: string): Promise<number> {
  const answer = await fetch(`${adminUrl}/readyz`).catch(() => undefined);
  return answer?.status ?? 0;
}

function isOpen({ url }: Server): Promise<boolean> {
  return rawFetch({ target: '/nothing' }, url).then(
    () => true,
    () => false,
  );
}

/** An upload whose second half is kept back. */
async function beginUpload(url: string, key: string): Promise<{ connection: RawConnection; finish(): void }> {
  const token = uploadToken(account, { scope: BUCKET });
  const body = wholeBody([field('token', token), field('key', key), file('x'.repeat(100_000))]);
  const headers = [['Content-Type', `multipart/form-data; boundary=${BOUNDARY}`]] as const;
  const bytes = requestBytes(url, { method: 'POST', target: '/', headers, body });
  const connection = await openConnection(url);
  connection.socket.write(bytes.subarray(0, bytes.length >> 1));
  return { connection, finish: () => connection.socket.write(bytes.subarray(bytes.length >> 1)) };
}

function statCall(key: string) {
  return { method: 'GET', target: statTarget(BUCKET, key) };
}

describe('on SIGTERM', () => {
  test('every accepted request is answered, readiness says no, and the process ends with 0', async () => {
    const server = await startServer('8s');
    const first = await beginUpload(server.url, 'first');
    first.finish();
    expect((await first.connection.answer('POST')).status).toBe(200);

    const lock = await database.lockObjects();
    const uploads = await Promise.all(
      Array.from({ length: 10 }, (_, i) => beginUpload(server.url, `slow-${i}`)),
    );
    // These wait for the lock, which is held longer than the drain delay.
    const stats = Array.from({ length: 40 }, async () => {
      const connection = await openConnection(server.url);
      const call = statCall('first');
      const authorization = authorize(call, { url: server.url, keys: account });
      const headers = [
        ['Authorization', authorization],
        ['Content-Type', 'application/x-www-form-urlencoded'],
      ] as const;
      connection.socket.write(requestBytes(server.url, { ...call, headers }));
      return connection.answer();
    });
    // Reads of one bucket that wait together are few statements.
    await expect.poll(() => database.waiting()).toBeGreaterThan(0);
    server.process.kill('SIGTERM');
    await expect.poll(() => readiness(server.adminUrl), { interval: 20 }).toBe(503);
    // A load balancer that has not looked yet still gets its answers, and is asked to go elsewhere.
    const late = await rawFetch({ target: '/nothing' }, server.url);
    expect([late.status, late.header('connection')]).toEqual([404, 'close']);

    await expect.poll(() => isOpen(server)).toBe(false);
    expect(await readiness(server.adminUrl)).toBe(503);
    for (const upload of uploads) upload.finish();
    await lock.release();
    for (const answer of await Promise.all(stats)) expect(answer.status).toBe(200);
    for (const { connection } of uploads) {
      const answer = await connection.answer('POST');
      expect(answer.status).toBe(200);
      expect(answer.header('connection')).toBe('close');
    }
    expect(await server.finished).toMatchObject({ code: 0 });

    const next = await startServer();
    for (let i = 0; i < 10; i++) {
      const found = await sendSigned(statCall(`slow-${i}`), { url: next.url, keys: account });
      expect(found.status).toBe(200);
    }
    next.process.kill('SIGTERM');
    expect(await next.finished).toMatchObject({ code: 0 });
  });

  test('idle connections are kept for as long as their clients may use them, and no longer', async () => {
    const server = await startServer('0ms', { MILLPOND_IDLE_TIMEOUT: '4s' });
    const idle = await Promise.all(Array.from({ length: 5 }, () => openConnection(server.url)));
    for (const { socket } of idle) socket.write('GET /nothing HTTP/1.1\r\nHost: a\r\n\r\n');
    for (const connection of idle)
      expect((await connection.answer()).header('connection')).toBe('keep-alive');
    const end = performance.now();
    server.process.kill('SIGTERM');
    await expect.poll(() => isOpen(server)).toBe(false);
    const [used] = idle;
    used?.socket.write('GET /nothing HTTP/1.1\r\nHost: a\r\n\r\n');
    expect((await used?.answer())?.header('connection')).toBe('close');
    expect(await server.finished).toMatchObject({ code: 0 });
    expect(performance.now() - end).toBeGreaterThan(2_000);
  });

  test('a second signal ends the process at once', async () => {
    const server = await startServer();
    const { connection } = await beginUpload(server.url, 'never');
    server.process.kill('SIGTERM');
    await expect.poll(() => readiness(server.adminUrl), { interval: 20 }).toBe(503);
    server.process.kill('SIGTERM');
    // One that waits for its uploads ends with 0.
    expect(await server.finished).toMatchObject({ code: 1 });
    await connection.closed;
  });
});
