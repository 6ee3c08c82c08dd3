/** For the tests of this folder: a listener with routes of the test's own, and bytes that are sent to it as they are. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { pino } from 'pino';
import { afterEach } from 'vitest';
import { listener } from '../config/listeners.ts';
import { BodyPaceMonitor, bodyLimits, proxyTrust, RequestTimes, type Route } from '../platform/web/index.ts';
import { startApp } from './app.ts';
import type { AppDeps } from './app-deps.ts';
import { ConnectionLimit } from './connection-limit.ts';
import { requestIds } from './exchange.ts';
import { HostDirectory } from './hosts.ts';
import { RequestLog } from './request-log.ts';
import { SmallPieces } from './small-pieces.ts';
import { Traffic } from './traffic.ts';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

export interface TestApp {
  readonly port: number;
  readonly address: string;
  /** Every request that ended: the path that was matched, and the status. */
  readonly recorded: readonly string[];
  readonly logged: readonly Record<string, unknown>[];
  readonly state: { draining: boolean };
  close(): Promise<void>;
}

export type TestDeps = Omit<AppDeps, 'state'> & Pick<TestApp, 'recorded' | 'logged' | 'state'>;

export function route(path: string, handle: Route['handle'], more: Partial<Route> = {}): Route {
  return { role: 'rs', methods: ['GET', 'POST'], path, handle, ...more };
}

/** `maxConnections`: of one address. */
export function testDeps(routes: readonly Route[], maxConnections = 100): TestDeps {
  const times = { bodyTimeout: 60_000, idleTimeout: 60_000, requestTimeout: 60_000 };
  const recorded: string[] = [];
  const logged: Record<string, unknown>[] = [];
  const log = pino({ base: null }, { write: (line: string) => logged.push(JSON.parse(line)) });
  const trust = proxyTrust([]);
  const state = { draining: false };
  const requestTimes = new RequestTimes();
  requestTimes.observe = (_route, url, status) => recorded.push(`${url} ${status}`);
  return {
    config: { hosts: [], maxConnections: 100, ...times },
    certificate: undefined,
    hosts: new HostDirectory([], undefined),
    trust,
    bodies: bodyLimits({ account: 1_000_000, open: 1_000_000 }),
    arriving: new BodyPaceMonitor({ unprovenMs: 60_000, least: { bytes: 1, ms: 60_000 } }),
    connections: new ConnectionLimit(maxConnections, trust),
    pieces: new SmallPieces(trust),
    routes,
    requestLog: new RequestLog(log, 'true'),
    requestTimes,
    traffic: new Traffic(),
    traces: { begin: () => undefined, end: () => undefined },
    nextRequestId: requestIds(),
    state,
    recorded,
    logged,
  };
}

export async function openApp(deps: TestDeps, at = 'http://127.0.0.1:0'): Promise<TestApp> {
  const where = listener.read(at);
  const app = await startApp(where, deps);
  const close = () => app.close();
  ends.push(close);
  const { recorded, logged, state } = deps;
  return { port: app.port, address: where.address, recorded, logged, state, close };
}

export async function openSocket({ address, port }: Pick<TestApp, 'address' | 'port'>): Promise<Socket> {
  const socket = connect({ host: address, port });
  ends.push(() => socket.destroy());
  await once(socket, 'connect');
  return socket;
}

/** All that is answered until the server closes the connection. */
export async function sendBytes(app: Pick<TestApp, 'address' | 'port'>, bytes: string): Promise<string> {
  const socket = await openSocket(app);
  socket.write(bytes);
  return text(socket);
}

/** One request whose answer is the last of its connection. */
export function ask(
  app: Pick<TestApp, 'address' | 'port'>,
  method: string,
  target: string,
  headers = '',
): Promise<string> {
  return sendBytes(app, `${method} ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${headers}\r\n`);
}
