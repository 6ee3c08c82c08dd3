/** Whoever begins a handshake of TLS and does not end it is not waited for, and takes no place for long. */
import { connect as connectSecurely } from 'node:tls';
import { afterEach, describe, expect, test } from 'vitest';
import { openConnection, type RawConnection } from '../support/raw.ts';
import type { Secure } from '../support/running/secure.ts';
import { useSecureDeployment } from '../support/running/secure-deployment.ts';

/** As many connections as an address may have here. */
const MAX_HANDSHAKES = 8;
/** The beginning of a ClientHello of 512 bytes. */
const HELLO = Buffer.from('1603010200010001fc0303', 'hex');

const site = useSecureDeployment({
  MILLPOND_BODY_TIMEOUT: '2s',
  MILLPOND_CONNECTIONS_PER_ADDRESS: String(MAX_HANDSHAKES),
});
const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

async function open(url: string, from: string, first?: Uint8Array | string): Promise<RawConnection> {
  const connection = await openConnection(url, from);
  connection.socket.on('error', () => undefined);
  ends.push(() => connection.socket.destroy());
  if (first !== undefined) connection.socket.write(first);
  return connection;
}

/** Sends the rest of its ClientHello a byte at a time. */
async function drip(from: string): Promise<RawConnection> {
  const connection = await open(site.at.url, from, HELLO);
  const timer = setInterval(() => connection.socket.write('a'), 100);
  ends.push(() => clearInterval(timer));
  return connection;
}

async function halfClosed(from: string): Promise<RawConnection> {
  const connection = await open(site.at.url, from, HELLO);
  connection.socket.end();
  return connection;
}

/** Whether a connection is taken on and answered. */
function isServed(from: string, { url, certificate }: Secure = site.at): Promise<boolean> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const options = { host: hostname, port: Number(port), localAddress: from, ca: certificate };
    const socket = connectSecurely(options, () => socket.write('GET /nothing HTTP/1.1\r\nHost: a\r\n\r\n'));
    ends.push(() => socket.destroy());
    socket.once('data', () => resolve(true));
    socket.on('error', () => undefined).once('close', () => resolve(false));
  });
}

describe('a handshake that does not end', () => {
  test.each<[string, string, (from: string) => Promise<RawConnection>]>([
    ['silent', '127.0.3.1', (from) => open(site.at.url, from)],
    ['a byte now and then', '127.0.3.2', drip],
    ['no TLS at all', '127.0.3.3', (from) => open(site.at.url, from, 'GET / HTTP/1.0\r\n\r\n')],
    ['ended by the client', '127.0.3.4', halfClosed],
  ])('is closed, and its place is free again: %s', async (_, from, begin) => {
    const held = await Promise.all(Array.from({ length: MAX_HANDSHAKES }, () => begin(from)));
    await Promise.all(held.map(({ closed }) => closed));
    await expect.poll(() => isServed(from)).toBe(true);
  });

  test('counts among the connections of its address, and keeps a server that is told to end no longer than its drain takes', async () => {
    const { server, at } = await site.start({ MILLPOND_BODY_TIMEOUT: '1h', MILLPOND_DRAIN_TIMEOUT: '2s' });
    const held = await Promise.all(
      Array.from({ length: MAX_HANDSHAKES }, () => open(at.url, '127.0.3.5', HELLO)),
    );
    expect(await isServed('127.0.3.5', at)).toBe(false);
    expect(await isServed('127.0.3.6', at)).toBe(true);
    await server.kill('SIGTERM');
    await Promise.all(held.map(({ closed }) => closed));
  });
});
