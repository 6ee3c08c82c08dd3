import { once } from 'node:events';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import { type Certificate as Files, makeCertificate } from '@millpond/testing';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { Certificate } from './certificate.ts';

let made: readonly [first: Files, second: Files];
let folder: string;
let files: { readonly cert: string; readonly key: string };
let said: string[];
let server: Server;
let certificate: Certificate;

const log = pino(
  { base: null },
  { write: (line: string) => said.push((JSON.parse(line) as { msg: string }).msg) },
);

beforeAll(async () => {
  made = [await makeCertificate(), await makeCertificate()];
});
afterAll(() => Promise.all(made.map((each) => each.remove())));
beforeEach(async () => {
  said = [];
  folder = await mkdtemp(path.join(tmpdir(), 'mp-certificate-'));
  files = { cert: path.join(folder, 'tls.crt'), key: path.join(folder, 'tls.key') };
  await use(made[0]);
  certificate = new Certificate(files, log);
  server = createServer(certificate.material, (_request, response) => response.end('ok'));
  certificate.attach(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
  await rm(folder, { recursive: true });
});

async function use({ settings }: Files): Promise<void> {
  await copyFile(settings.MILLPOND_TLS_CERT ?? '', files.cert);
  await copyFile(settings.MILLPOND_TLS_KEY ?? '', files.key);
}

async function connected(): Promise<TLSSocket> {
  const { port } = server.address() as AddressInfo;
  const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  return socket;
}

/** Which of the two a new connection is shown. */
async function shown(): Promise<number> {
  const socket = await connected();
  const pem = socket.getPeerX509Certificate()?.toString().trim();
  socket.destroy();
  return made.findIndex(({ text }) => text.trim() === pem);
}

test('replaced files are taken for new connections, and open ones stay', async () => {
  expect(await shown()).toBe(0);
  const before = await connected();
  certificate.renew();
  expect(said).toEqual([]);
  await use(made[1]);
  certificate.renew();
  expect([await shown(), said]).toEqual([1, ['certificate replaced']]);
  before.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  const [answer] = (await once(before, 'data')) as [Buffer];
  expect(answer.toString()).toContain('200 OK');
  before.destroy();
});

test('files that do not belong together, or are none, are refused once, and the old ones stay', async () => {
  await copyFile(made[1].settings.MILLPOND_TLS_CERT ?? '', files.cert);
  certificate.renew();
  certificate.renew();
  expect([await shown(), said]).toEqual([0, ['new certificate refused; the old one stays']]);
  await writeFile(files.cert, 'none');
  certificate.renew();
  await rm(files.cert);
  certificate.renew();
  expect(await shown()).toBe(0);
  await use(made[1]);
  certificate.renew();
  expect([await shown(), said.at(-1)]).toEqual([1, 'certificate replaced']);
});

test('it says how long it is valid, and a server does not begin with one that is none', async () => {
  expect(certificate.secondsLeft).toBeGreaterThan(3600);
  await writeFile(files.cert, 'none');
  expect(() => new Certificate(files, log)).toThrow(`${files.cert} and ${files.key} are no certificate`);
});
