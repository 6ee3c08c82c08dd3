/** A way to a database that can lose answers: what was sent has arrived, and the connection breaks before anything comes back. */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

export interface DatabaseProxy {
  readonly url: string;
  /** From now on, every connection that the server answers on breaks instead; the server's own side stays open. */
  loseAnswers(): void;
  /** From now on, connections break as soon as something is sent, which does not arrive. */
  loseRequests(): void;
  /** The next request does not arrive, and breaks its connection. */
  loseOneRequest(): void;
  /** Breaks what is open, without the server noticing. */
  cut(): void;
  mend(): void;
}

export async function openDatabaseProxy(url: string): Promise<DatabaseProxy> {
  const { hostname, port } = new URL(url);
  const sides: { inner: Socket; outer: Socket }[] = [];
  let lost: 'nothing' | 'answers' | 'requests' | 'one request' = 'nothing';
  const server = createServer((inner) => {
    const outer = connect(Number(port), hostname);
    sides.push({ inner, outer });
    for (const socket of [inner, outer]) socket.on('error', () => undefined);
    inner.on('data', (data) => {
      if (lost !== 'requests' && lost !== 'one request') return void outer.write(data);
      inner.destroy();
      if (lost === 'one request') lost = 'nothing';
    });
    outer.on('data', (data) => void (lost === 'answers' ? inner.destroy() : inner.write(data)));
    outer.on('close', () => inner.destroy());
    inner.on('end', () => outer.end());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const { inner, outer } of sides) for (const socket of [inner, outer]) socket.destroy();
    server.close();
  });
  const own = new URL(url);
  own.hostname = '127.0.0.1';
  own.port = String((server.address() as { port: number }).port);
  const lose = (what: typeof lost) => () => {
    lost = what;
  };
  return {
    url: own.href,
    loseAnswers: lose('answers'),
    loseRequests: lose('requests'),
    loseOneRequest: lose('one request'),
    cut: () => {
      for (const { inner } of sides) inner.destroy();
    },
    mend: lose('nothing'),
  };
}
