// @module-tag debian
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, describe, expect, test } from 'vitest';
import { Client } from '../server/client.ts';
import { nodeTransport } from './transport.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'millpond-transport-'));
const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) server.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Identity {
  readonly cert: string;
  readonly key: string;
}

let made = 0;
function identity({ name = 'IP:127.0.0.1', days = 2 } = {}): Identity {
  const at = path.join(folder, String(made++));
  const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: 'ignore' });
  writeFileSync(`${at}.ext`, `subjectAltName=${name}`);
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  openssl('req', '-new', ...curve, '-subj', `/CN=test ${made}`, '-keyout', `${at}.key`, '-out', `${at}.csr`);
  const signing = ['-signkey', `${at}.key`, '-extfile', `${at}.ext`, '-days', String(days)];
  openssl('x509', '-req', '-in', `${at}.csr`, ...signing, '-out', `${at}.pem`);
  return { cert: readFileSync(`${at}.pem`, 'utf8'), key: readFileSync(`${at}.key`, 'utf8') };
}

/** Answers everything with `[]`, and counts who comes. */
async function listening(own?: Identity): Promise<{ port: number; connections: () => number }> {
  const answer: http.RequestListener = (_request, response) => void response.end('[]');
  const server = own === undefined ? http.createServer(answer) : https.createServer(own, answer);
  let connections = 0;
  server.on('connection', () => connections++);
  servers.push(server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, connections: () => connections };
}

const textOf = async (url: string, ca?: string) => {
  const transport = nodeTransport(ca === undefined ? {} : { ca });
  return (await transport({ method: 'GET', url, headers: {} })).text();
};

const credentials = { accessKey: 'ak', secretKey: 'sk' };
const retry = { tries: 3, firstPause: 1 };
const bucketsOf = (url: string) => new Client({ url, credentials, retry }).buckets.names();

test('a certificate that is given is trusted besides the usual ones', async () => {
  const [usual, ours, stranger] = [identity(), identity(), identity()];
  const before = getCACertificates();
  setDefaultCACertificates([...before, usual.cert]);
  try {
    for (const own of [usual, ours])
      expect(await textOf(`https://127.0.0.1:${(await listening(own)).port}`, ours.cert)).toBe('[]');
    const { port } = await listening(stranger);
    await expect(textOf(`https://127.0.0.1:${port}`, ours.cert)).rejects.toMatchObject({ code: 'tls' });
  } finally {
    setDefaultCACertificates(before);
  }
});

describe('a server that can’t be spoken to over TLS is not tried again, and the error says what to do', () => {
  test('its certificate is its own', async () => {
    const { port, connections } = await listening(identity());
    const message = new RegExp(
      `certificate of 127\\.0\\.0\\.1:${port} is not trusted: .*NODE_EXTRA_CA_CERTS=/path/ca\\.pem.*\`ca\` option`,
    );
    await expect(bucketsOf(`https://127.0.0.1:${port}`)).rejects.toMatchObject({
      code: 'tls',
      status: 0,
      message: expect.stringMatching(message),
    });
    expect(connections()).toBe(1);
  });

  test.each([
    [
      'is for another name',
      { name: 'DNS:other.example.com' },
      /is for another name: .*127\.0\.0\.1 is not in/,
    ],
    ['is over', { days: -1 }, /is not valid now: .*expired/],
  ])('its certificate %s', async (_, options, message) => {
    const own = identity(options);
    const { port } = await listening(own);
    await expect(textOf(`https://127.0.0.1:${port}`, own.cert)).rejects.toMatchObject({
      code: 'tls',
      message: expect.stringMatching(message),
    });
  });

  test('it speaks plain HTTP', async () => {
    const { port, connections } = await listening();
    await expect(bucketsOf(`https://127.0.0.1:${port}`)).rejects.toMatchObject({
      code: 'tls',
      message: expect.stringMatching(new RegExp(`TLS with 127\\.0\\.0\\.1:${port} failed: .*http://`)),
    });
    expect(connections()).toBe(1);
  });
});

describe('a server that is not there', () => {
  const triesOf = async (url: string) => {
    let tries = 1;
    const client = new Client({ url, credentials, retry: { ...retry, onRetry: () => tries++ } });
    const error: unknown = await client.buckets.names().catch((reason: unknown) => reason);
    return { tries, error };
  };

  test('is tried again where nobody listens at its address', async () => {
    const { tries, error } = await triesOf('http://127.0.0.1:1');
    expect(tries).toBe(3);
    expect(error).toMatchObject({ code: 'network', message: expect.stringContaining('127.0.0.1:1') });
  });

  test('is not where its name is none', async () => {
    const { tries, error } = await triesOf('http://nobody.invalid');
    expect(tries).toBe(1);
    expect(error).toMatchObject({
      code: 'network',
      message: 'the host nobody.invalid was not found: is the address right?',
    });
  });
});
