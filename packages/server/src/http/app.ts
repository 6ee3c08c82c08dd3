/**
 * Assembles the routes of a listener's roles: request ids, checks of hosts and methods, body limits, faults on the wire,
 * metrics and logs. One app per listener.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Server as TlsServer } from 'node:tls';
import { Fault } from '@millpond/protocol';
import Fastify, { type FastifyError, type FastifyInstance } from 'fastify';
import type { Config } from '../config/config.ts';
import { exclusiveRoleOf, type Listener } from '../config/listeners.ts';
import {
  BY_BUCKET_HOST,
  CONSOLE_PREFIX,
  DOMAIN_PREFIX,
  deferContinue,
  openToOrigins,
  S3_PREFIX,
  toFault,
} from '../platform/web/index.ts';
import { hideContentType } from './any-type.ts';
import type { AppDeps } from './app-deps.ts';
import { authorityOf } from './authority.ts';
import type { HostDirectory, ResolvedHost } from './hosts.ts';
import { answerMalformedRequest } from './malformed-requests.ts';
import { type RoutedMethods, routedMethods } from './methods.ts';
import { mount } from './mount.ts';
import { noRoute, recordRequest, sendError } from './run-route.ts';
import { limitTlsHandshakes } from './tls-handshakes.ts';

/** Room for the longest target, a credential and the headers that browsers add. */
const MAX_HEADER_BYTES = 32 * 1024;
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

export async function buildApp(listener: Listener, deps: AppDeps): Promise<FastifyInstance> {
  const methods = routedMethods(deps.routes);
  const app = createFastify(listener, deps, methods);
  // If it were the longer of the two, Node would swap them.
  app.server.headersTimeout = Math.min(HEADERS_MS, deps.config.requestTimeout);
  app.server.keepAliveTimeoutBuffer = deps.config.idleTimeout - app.server.keepAliveTimeout;
  for (const method of methods.all) {
    if (!app.supportedMethods.includes(method)) app.addHttpMethod(method, { hasBody: true });
  }
  // The size is limited instead. With a count limit, some versions of Node drop headers, and not the same ones in `headers` and
  // `rawHeaders`.
  app.server.maxHeadersCount = 0;
  handleExpectHeader(app.server, (request) => meaningOf(request, listener, deps.hosts)?.kind === 's3');
  if (listener.tls) {
    limitTlsHandshakes(app, deps.config.bodyTimeout);
    deps.certificate?.attach(app.server as unknown as TlsServer);
  }
  deps.connections.guard(app.server);
  deps.traffic.watch(app.server);
  app.decorateRequest('trace', undefined);
  app.removeAllContentTypeParsers();
  app.addHook('onRequest', (request, reply, done) => {
    const { route } = request.routeOptions.config;
    if (route?.cors) openToOrigins(reply.raw);
    if (route?.role === 's3') hideContentType(request.raw);
    if (request.raw.socket.destroyed) {
      // The rest of what had been read of a connection that was closed meanwhile.
      reply.hijack();
      return;
    }
    deps.arriving.watch(request.raw, reply.raw);
    const begin = performance.now();
    // Also where the client hung up before it had the whole answer.
    reply.raw.once('close', () => recordRequest(request, reply, performance.now() - begin, deps));
    try {
      deps.connections.admit(request.raw, reply.raw);
    } catch (error) {
      sendError(request, reply, error, deps);
      return;
    }
    done();
  });
  app.setNotFoundHandler((request, reply) =>
    sendError(request, reply, unclear.get(request.raw) ?? noRoute(), deps),
  );
  app.setErrorHandler((error: FastifyError, request, reply) =>
    sendError(request, reply, frameworkFault(error), deps),
  );
  // The handlers read the bodies: most only once they know whose body it is.
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
  mount(app, listener, deps, methods);
  return app;
}

function createFastify(
  listener: Listener,
  { certificate, config, hosts, nextRequestId, pieces, requestLog }: AppDeps,
  methods: RoutedMethods,
): FastifyInstance {
  const options = {
    logger: false,
    genReqId: nextRequestId,
    requestTimeout: config.requestTimeout,
    connectionTimeout: config.idleTimeout,
    keepAliveTimeout: keepAliveMs(config),
    // A request accepted while the server drains is answered like any other.
    return503OnClosing: false,
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: 2 * MAX_HEADER_BYTES, ignoreDuplicateSlashes: false },
    clientErrorHandler: (error: Error, socket: Socket) =>
      answerMalformedRequest(error, socket, (fault, isBrokenOff) => {
        const reqid = nextRequestId();
        // A client that hung up was not refused.
        if (!isBrokenOff) requestLog.broken(reqid, fault);
        return reqid;
      }),
    rewriteUrl(request: IncomingMessage) {
      methods.normalize(request);
      return targetForRouter(request, listener, hosts);
    },
  };
  const http = {
    IncomingMessage: pieces.requestClass(),
    maxHeaderSize: MAX_HEADER_BYTES,
    connectionsCheckingInterval: LATE_CHECK_MS,
    // We answer a missing Host ourselves, in the form of our other errors.
    requireHostHeader: false,
  };
  if (!listener.tls) return Fastify({ ...options, http }) as unknown as FastifyInstance;
  if (certificate === undefined) throw new Error('an https listener needs a certificate and its key');
  const https = { ...http, ...certificate.material };
  return Fastify({ ...options, https }) as unknown as FastifyInstance;
}

/** Requests whose host cannot be determined. */
const unclear = new WeakMap<IncomingMessage, Fault>();

/** From here on all code sees host and target as the request means them. */
function targetForRouter(
  request: IncomingMessage & { originalUrl?: string | undefined },
  listener: Listener,
  hosts: HostDirectory,
): string {
  const authority = authorityOf(request);
  if (authority.host === undefined) {
    unclear.set(request, new Fault('invalidArgument', { hint: authority.hint }));
    return NOWHERE;
  }
  const { host, target } = authority;
  if (target !== request.url) {
    request.headers.host = host;
    request.originalUrl = target;
  }
  return toRouterPath(target, hosts.resolve(host, exclusiveRoleOf(listener)));
}

/** Undefined if the Host header is missing or invalid. */
function meaningOf(
  request: IncomingMessage,
  listener: Listener,
  hosts: HostDirectory,
): ResolvedHost | undefined {
  const { host } = authorityOf(request);
  return host === undefined ? undefined : hosts.resolve(host, exclusiveRoleOf(listener));
}

function frameworkFault(error: FastifyError): Fault {
  if (error.statusCode !== undefined && error.statusCode < 500)
    return new Fault('invalidArgument', { detail: error.message });
  return toFault(error);
}

/**
 * `Expect`. S3's clients wait for `100 Continue` before they send a body, and its handlers decide when; all others get it at
 * once. An expectation that nobody knows is no reason for S3 to refuse; elsewhere Node answers 417.
 */
function handleExpectHeader(server: Server, isS3: (request: IncomingMessage) => boolean): void {
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    if (isS3(request)) deferContinue(request);
    else response.writeContinue();
    server.emit('request', request, response);
  });
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    if (isS3(request)) server.emit('request', request, response);
    else response.writeHead(417).end();
  });
}

/** No route starts with this. */
const NOWHERE = '/~';

export function toRouterPath(target: string, meaning: ResolvedHost): string {
  const end = target.indexOf('?');
  const path = (end < 0 ? target : target.slice(0, end)).replaceAll('%', '_');
  if (!path.startsWith('/')) return NOWHERE;
  // S3 reads bucket and key from the raw target.
  if (meaning.kind === 's3') return `${S3_PREFIX}${meaning.bucket ?? ''}`;
  if (meaning.kind === 'console') return `${CONSOLE_PREFIX}${path}`;
  if (meaning.kind === 'bucket') return `${BY_BUCKET_HOST}${meaning.bucket}${path}`;
  if (meaning.kind === 'domain') return `${DOMAIN_PREFIX}${meaning.domain}${path}`;
  // The prefixes above are for hosts: in a path they would let a client choose which host it came to.
  return path.startsWith(NOWHERE) ? NOWHERE : path;
}
