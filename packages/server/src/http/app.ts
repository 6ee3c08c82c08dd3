/**
 * A listener at work: every request gets an id, its host and route, the limits on clients, an answer whatever happens, and a
 * record. One app per listener.
 */
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Listener } from '../config/listeners.ts';
import { openToOrigins } from '../platform/web/index.ts';
import type { AppDeps } from './app-deps.ts';
import { Drain } from './drain.ts';
import { Exchange } from './exchange.ts';
import { createHttpServer, keepAliveMs } from './http-server.ts';
import { answerMalformedRequest } from './malformed-requests.ts';
import { type Answer, mount } from './mount.ts';
import { abandon, recordRequest, sendError } from './run-route.ts';
import { limitTlsHandshakes } from './tls-handshakes.ts';

export interface App {
  readonly url: string;
  /** The one that the system chose, where the listener said 0. */
  readonly port: number;
  /** Resolves when all requests are answered; connections that are open after `timeoutMs` are cut. */
  drain(timeoutMs: number): Promise<void>;
  /** Cuts all connections. */
  close(): Promise<void>;
}

/** Resolves once it listens. */
export async function startApp(listener: Listener, deps: AppDeps): Promise<App> {
  const { config, connections, state, traffic } = deps;
  const server = createHttpServer(listener, deps);
  const handshakes = listener.tls ? limitTlsHandshakes(server, config.bodyTimeout) : undefined;
  connections.guard(server);
  traffic.watch(server);
  const drain = new Drain(state, keepAliveMs(config));
  const receive = receiver(listener, deps, drain);
  server.on('request', (request, response) => receive(request, response));
  server.on('checkContinue', (request, response) => receive(request, response, 'continue'));
  server.on('checkExpectation', (request, response) => receive(request, response, 'unknown'));
  server.on('clientError', (error: Error, socket: Socket) =>
    answerMalformedRequest(error, socket, (fault, isBrokenOff) => {
      const reqid = deps.nextRequestId();
      // A client that hung up was not refused.
      if (!isBrokenOff) deps.requestLog.broken(reqid, fault);
      return reqid;
    }),
  );
  server.listen(listener.port, listener.address);
  await once(server, 'listening');
  const { address, family, port } = server.address() as AddressInfo;
  const close = async () => {
    handshakes?.end();
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
  return {
    url: `${listener.tls ? 'https' : 'http'}://${family === 'IPv6' ? `[${address}]` : address}:${port}`,
    port,
    async drain(timeoutMs) {
      await drain.run(server, timeoutMs);
      await close();
    },
    close,
  };
}

/** What `Expect` says: that the client waits to be told when its body is wanted, or something that nobody knows. */
type Expectation = 'continue' | 'unknown';
type Receive = (request: IncomingMessage, response: ServerResponse, expectation?: Expectation) => void;

function receiver(listener: Listener, deps: AppDeps, drain: Drain): Receive {
  const resolve = mount(listener, deps);
  return (request, response, expectation) => {
    // The rest of what had been read of a connection that was closed meanwhile.
    if (request.socket.destroyed) return;
    const exchange = new Exchange(request, response, deps.nextRequestId());
    deps.arriving.watch(request, response);
    // Also where the client hung up before it had the whole answer.
    response.once('close', () => {
      drain.ended(response);
      recordRequest(exchange, deps);
    });
    const fail = (error: unknown) => abandon(exchange, error, deps);
    // A handler wrote after the end.
    response.on('error', fail);
    answerRequest(exchange, expectation, resolve, deps).catch(fail);
  };
}

async function answerRequest(
  exchange: Exchange,
  expectation: Expectation | undefined,
  resolve: (exchange: Exchange) => Answer,
  deps: AppDeps,
): Promise<void> {
  const { request, response } = exchange;
  try {
    const answer = resolve(exchange);
    const { cors, role } = exchange.route ?? {};
    if (cors) openToOrigins(response);
    // Handlers of S3 decide when the body is wanted; all others get it at once.
    if (expectation === 'continue' && role === 's3') exchange.awaitsContinue = true;
    else if (expectation === 'continue') response.writeContinue();
    deps.connections.admit(request, response);
    // To S3 it is no reason to refuse.
    if (expectation === 'unknown' && role !== 's3') response.writeHead(417).end();
    else await answer(exchange);
  } catch (error) {
    sendError(exchange, error, deps);
  }
}
