/** Node's server for a listener, with its limits of size and time. */
import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Config } from '../config/config.ts';
import type { Listener } from '../config/listeners.ts';
import type { AppDeps } from './app-deps.ts';

/** Room for the longest target, a credential and the headers that browsers add. */
export const MAX_HEADER_BYTES = 32 * 1024;
/** Longest time the headers of a request may take to arrive. */
const HEADERS_MS = 30_000;
/**
 * The share of the keep-alive time that is announced. Otherwise a client that reuses the connection at the last moment, on a
 * slow machine, would find it closed and its request lost.
 */
const ANNOUNCED_SHARE = 0.75;
/** How often to check for requests that take too long to arrive. */
const LATE_CHECK_MS = 1_000;

/** For how long answers let clients keep an idle connection. */
export function keepAliveMs({ idleTimeout }: Pick<Config, 'idleTimeout'>): number {
  return Math.floor(ANNOUNCED_SHARE * idleTimeout);
}

export function createHttpServer({ tls }: Listener, { certificate, config, pieces }: AppDeps): Server {
  const keepAliveTimeout = keepAliveMs(config);
  const options = {
    IncomingMessage: pieces.requestClass(),
    maxHeaderSize: MAX_HEADER_BYTES,
    requestTimeout: config.requestTimeout,
    // Node refuses to let it be the longer of the two.
    headersTimeout: Math.min(HEADERS_MS, config.requestTimeout),
    connectionsCheckingInterval: LATE_CHECK_MS,
    keepAliveTimeout,
    keepAliveTimeoutBuffer: config.idleTimeout - keepAliveTimeout,
    // We answer a missing Host ourselves, in the form of our other errors.
    requireHostHeader: false,
  };
  if (!tls) return limit(createServer(options), config);
  if (certificate === undefined) throw new Error('an https listener needs a certificate and its key');
  const server = createTlsServer({ ...options, ...certificate.material });
  certificate.attach(server);
  return limit(server, config);
}

function limit(server: Server, { idleTimeout, maxConnections }: AppDeps['config']): Server {
  server.maxConnections = maxConnections;
  // The size is limited instead. With a count limit, some versions of Node drop headers, and not the same ones in `headers` and
  // `rawHeaders`.
  server.maxHeadersCount = 0;
  return server.setTimeout(idleTimeout);
}
