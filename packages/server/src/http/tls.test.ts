/** An https listener as the server builds it: its certificate is replaced while it runs, and its handshakes end. */
import { once } from 'node:events';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import { makeCertificate } from '@millpond/testing';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { jsonResponse } from '../platform/web/index.ts';
import { openApp, openSocket, route, type TestApp, testDeps } from './app.testing.ts';
import { Certificate } from './certificate.ts';

type Files = Awaited<ReturnType<typeof makeCertificate>>;

let made: readonly [first: Files, second: Files];
let folder: string;
let files: { readonly cert: string; readonly key: string };
beforeAll(async () => {
  made = [await makeCertificate(), await makeCertificate()];
  folder = await mkdtemp(path.join(tmpdir(), 'mp-tls-'));
  files = { cert: path.join(folder, 'tls.crt'), key: path.join(folder, 'tls.key') };
});
afterAll(async () => {
  await Promise.all(made.map((each) => each.remove()));
  await rm(folder, { recursive: true });
});

async function use({ settings }: Files): Promise<void> {
  await copyFile(settings.MILLPOND_TLS_CERT ?? '', files.cert);
  await copyFile(settings.MILLPOND_TLS_KEY ?? '', files.key);
}

async function opened(bodyTimeout: number): Promise<TestApp & { readonly certificate: Certificate }> {
  await use(made[0]);
  const certificate = new Certificate(files, pino({ enabled: false }));
  const deps = testDeps([route('/', () => jsonResponse('secret'))]);
  const config = { ...deps.config, bodyTimeout };
  return { ...(await openApp({ ...deps, config, certificate }, 'https://127.0.0.1:0')), certificate };
}

async function handshake({ port }: TestApp): Promise<TLSSocket> {
  const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  return socket;
}

async function isAnswered(socket: TLSSocket): Promise<boolean> {
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  const [answer] = (await once(socket, 'data')) as [Buffer];
  return answer.toString().startsWith('HTTP/1.1 200 ');
}

test('new connections get the renewed certificate, and open ones stay', async () => {
  const app = await opened(60_000);
  const before = await handshake(app);
  await use(made[1]);
  app.certificate.renew();
  const after = await handshake(app);
  const shown = [before, after].map((socket) => socket.getPeerX509Certificate()?.toString().trim());
  expect(shown).toEqual(made.map(({ text }) => text.trim()));
  expect([await isAnswered(before), await isAnswered(after)]).toEqual([true, true]);
  for (const socket of [before, after]) socket.destroy();
});

test('a handshake that does not end in time is closed; one that did is not', async () => {
  const app = await opened(500);
  const secure = await handshake(app);
  const silent = await openSocket(app);
  await once(silent, 'close');
  expect(await isAnswered(secure)).toBe(true);
  secure.destroy();
});

test('a server that ends waits for no handshake', async () => {
  const app = await opened(3_600_000);
  const silent = await openSocket(app);
  // The server knows of it once it knows of one that came later.
  (await handshake(app)).destroy();
  const closed = once(silent, 'close');
  await app.close();
  await closed;
});
