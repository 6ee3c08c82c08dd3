import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { listener } from '../config/listeners.ts';
import { openApp, openSocket, sendBytes, testDeps } from './app.testing.ts';
import { bindEach } from './bind.ts';

const open: Server[] = [];
afterEach(() => {
  for (const server of open.splice(0)) server.close();
});

async function bind({ address, port }: { address: string; port: number }) {
  const server = createServer();
  server.listen(port, address);
  await once(server, 'listening');
  open.push(server);
  return server.address() as { address: string; port: number };
}

const at = (url: string) => listener.read(url);
const both = () => Promise.resolve(['127.0.0.1', '127.0.0.2']);

test('each address of a name gets a server that is made like the others, at the port of the first', async () => {
  const [first, second, ...more] = await bindEach(at('http://localhost:0'), bind, both);
  expect(more).toEqual([]);
  expect([first?.address, second?.address]).toEqual(['127.0.0.1', '127.0.0.2']);
  expect(second?.port).toBe(first?.port);
  expect(first?.port).toBeGreaterThan(0);
});

test('both listen under the same limits, and answer in the same form', async () => {
  const deps = testDeps([], 3);
  const apps = await bindEach(
    at('http://localhost:0'),
    (bound) => openApp(deps, `http://${bound.address}:${bound.port}`),
    both,
  );
  for (const app of apps)
    expect(await sendBytes(app, 'nonsense\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 .*\r\nx-reqid: /s);
  // Their clients all come from one address.
  const taken = await Promise.all([...apps, ...apps].slice(0, 3).map((app) => openSocket(app)));
  for (const app of apps) await once((await openSocket(app)).resume(), 'close');
  expect(taken.map(({ closed }) => closed)).toEqual([false, false, false]);
  expect(deps.connections.refused).toBe(2);
});

test('an address that this machine lacks is left out, unless it is the only one', async () => {
  // The address is from a network for documentation.
  const lacks = (...others: string[]) =>
    bindEach(at('http://localhost:0'), bind, async () => [...others, '192.0.2.1']);
  expect(await lacks('127.0.0.1')).toHaveLength(1);
  await expect(lacks()).rejects.toThrow('EADDRNOTAVAIL');
});

test('a port that is taken at one of them is said', async () => {
  const taken = await bind({ address: '127.0.0.2', port: 0 });
  await expect(bindEach(at(`http://localhost:${taken.port}`), bind, both)).rejects.toThrow('EADDRINUSE');
});

test('localhost is looked up, other addresses are taken as they are', async () => {
  expect((await bindEach(at('http://localhost:0'), bind)).map(({ address }) => address)).toContain(
    '127.0.0.1',
  );
  expect(await bindEach(at('http://127.0.0.2:0'), bind)).toMatchObject([{ address: '127.0.0.2' }]);
});
