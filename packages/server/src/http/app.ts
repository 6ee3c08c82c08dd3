/**
 * Assembles the routes of a listener's roles: request ids, checks of hosts and methods, body limits, faults on the wire,
 * metrics and logs. One app per listener.
 */
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Fault } from '@millpond/protocol';
import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import type { Config } from '../config/config.ts';
import { answers, type Listener, onlyRole, type Role } from '../config/listeners.ts';
import { type Trace, type TraceRecorder, withTrace } from '../platform/trace/index.ts';
import {
  type Answer,
  type ArrivingBodies,
  type BodyLimits,
  BY_CONSOLE,
  Call,
  faultAnswer,
  inPlainText,
  openToOrigins,
  type ProxyTrust,
  peerOf,
  preflightAnswer,
  type RequestTimes,
  type Route,
  type RoutedRequest,
  sendAnswer,
  toFault,
} from '../platform/web/index.ts';
import { hideType, showType } from './any-type.ts';
import { authorityOf } from './authority.ts';
import { answerBroken } from './broken-requests.ts';
import type { ConnectionLimit } from './connection-limit.ts';
import { heedExpectations } from './expectations.ts';
import { limitHandshakes } from './handshakes.ts';
import type { HostDirectory, HostMeaning } from './hosts.ts';
import { type RoutedMethods, routedMethods } from './methods.ts';
import { nameOf, type RequestLog } from './request-log.ts';
import { NOWHERE, routedTarget } from './routed-target.ts';
import { keepWhileAtWork } from './silent-connections.ts';
import type { Traffic } from './traffic.ts';
import { answerUnread } from './unread-body.ts';

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
/** Methods of a download. */
const READING: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

export interface AppDeps {
  readonly config: Config;
  readonly hosts: HostDirectory;
  readonly trust: ProxyTrust;
  readonly bodies: BodyLimits;
  readonly arriving: ArrivingBodies;
  readonly connections: ConnectionLimit;
  readonly routes: readonly Route[];
  readonly requestLog: RequestLog;
  readonly requestTimes: RequestTimes;
  readonly traffic: Traffic;
  readonly traces: TraceRecorder;
  readonly nextRequestId: () => string;
  /** Set when the server is about to stop: connections then close after their current answer. */
  readonly state: { readonly draining: boolean };
}

declare module 'fastify' {
  interface FastifyContextConfig {
    route?: Route;
  }
  interface FastifyRequest {
    trace: Trace | undefined;
  }
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
  heedExpectations(app.server, (request) => meaningOf(request, listener, deps.hosts)?.kind === 's3');
  if (listener.tls) limitHandshakes(app, deps.config.bodyTimeout);
  deps.connections.guard(app.server);
  deps.traffic.watch(app.server);
  app.decorateRequest('trace', undefined);
  app.removeAllContentTypeParsers();
  app.addHook('onRequest', (request, reply, done) => {
    const { route } = request.routeOptions.config;
    if (route?.cors) openToOrigins(reply.raw);
    if (route?.role === 's3') hideType(request.raw);
    deps.arriving.watch(request.raw, reply.raw);
    try {
      deps.connections.admit(request.raw, reply.raw);
    } catch (error) {
      refuse(request, reply, error, deps);
      return;
    }
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    record(request, reply, deps);
    done();
  });
  app.setNotFoundHandler((request, reply) =>
    refuse(request, reply, unclear.get(request.raw) ?? noRoute(), deps),
  );
  app.setErrorHandler((error: FastifyError, request, reply) =>
    refuse(request, reply, frameworkFault(error), deps),
  );
  // The handlers read the bodies: most only once they know whose body it is.
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
  mount(app, listener, deps, methods);
  return app;
}

function createFastify(
  listener: Listener,
  { config, hosts, nextRequestId, requestLog }: AppDeps,
  methods: RoutedMethods,
): FastifyInstance {
  const options = {
    logger: false,
    genReqId: nextRequestId,
    requestTimeout: config.requestTimeout,
    connectionTimeout: config.idleTimeout,
    keepAliveTimeout: Math.floor(ANNOUNCED_SHARE * config.idleTimeout),
    forceCloseConnections: 'idle' as const,
    // A request accepted while the server drains is answered like any other.
    return503OnClosing: false,
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: 2 * MAX_HEADER_BYTES, ignoreDuplicateSlashes: false },
    clientErrorHandler: (error: Error, socket: Socket) =>
      answerBroken(error, socket, (fault, isBrokenOff) => {
        const reqid = nextRequestId();
        // A client that hung up was not refused.
        if (!isBrokenOff) requestLog.broken(reqid, fault);
        return reqid;
      }),
    rewriteUrl(request: IncomingMessage) {
      methods.unite(request);
      return targetForRouter(request, listener, hosts);
    },
  };
  const http = {
    maxHeaderSize: MAX_HEADER_BYTES,
    connectionsCheckingInterval: LATE_CHECK_MS,
    // We answer a missing Host ourselves, in the form of our other errors.
    requireHostHeader: false,
  };
  if (!listener.tls) return Fastify({ ...options, http }) as unknown as FastifyInstance;
  const { tlsCert, tlsKey } = config;
  if (tlsCert === undefined || tlsKey === undefined)
    throw new Error('an https listener needs a certificate and its key');
  const https = { ...http, cert: readFileSync(tlsCert), key: readFileSync(tlsKey) };
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
  return routedTarget(target, hosts.meaning(host, onlyRole(listener)));
}

/** Undefined if the request says no host that could mean anything. */
function meaningOf(
  request: IncomingMessage,
  listener: Listener,
  hosts: HostDirectory,
): HostMeaning | undefined {
  const { host } = authorityOf(request);
  return host === undefined ? undefined : hosts.meaning(host, onlyRole(listener));
}

function mount(app: FastifyInstance, listener: Listener, deps: AppDeps, { all }: RoutedMethods): void {
  const isConsole = answers({ listen: [listener], hosts: deps.config.hosts }, 'console');
  const carried = deps.routes.filter(
    ({ role }) => listener.roles.has(role as Role) && (role !== 'console' || isConsole),
  );
  const byPath = Map.groupBy(carried, (route) => route.path);
  mountUnknownAccountCalls(app, carried, deps, all);
  for (const [url, routes] of byPath) {
    const taken = new Set<string>();
    for (const route of routes) {
      const method = route.methods.filter((name) => !taken.has(name));
      for (const name of method) taken.add(name);
      app.route({
        method,
        url,
        config: { route },
        handler: (request, reply) => run(route, request, reply, deps),
      });
    }
    const open = routes.find((route) => route.cors);
    if (open !== undefined) {
      const handle = ({ request }: Call) => preflightAnswer(taken, request);
      app.route({
        method: 'OPTIONS',
        url,
        config: { route: open },
        handler: (request, reply) => run({ ...open, handle }, request, reply, deps),
      });
    }
    const others = all.filter((method) => !taken.has(method) && (method !== 'OPTIONS' || open === undefined));
    app.route({
      method: others,
      url,
      config: open === undefined ? {} : { route: open },
      handler: (request, reply) => refuseMethod(routes, request, reply, deps),
    });
  }
}

function refuseMethod(
  routes: readonly Route[],
  request: FastifyRequest,
  reply: FastifyReply,
  deps: AppDeps,
): void {
  const served = routes.filter((route) => isServed(route, request.raw, deps));
  if (served.length === 0) {
    refuse(request, reply, noRoute(), deps);
    return;
  }
  const methods = [...new Set(served.flatMap((route) => route.methods))];
  const isOpen = served.some((route) => route.cors);
  reply.raw.setHeader('allow', [...methods, ...(isOpen ? ['OPTIONS'] : [])].join(', '));
  const name = served[0]?.errors === 'account' ? 'invalidRequestMethod' : 'methodNotAllowed';
  refuse(request, reply, new Fault(name, { hint: `use ${methods.join(' or ')}` }), deps);
}

/**
 * Answers unknown paths beside the account calls with errors in the form of those calls. Otherwise a mistyped call would be
 * taken for the download of an object, with a wrong method.
 */
function mountUnknownAccountCalls(
  app: FastifyInstance,
  routes: readonly Route[],
  deps: AppDeps,
  all: readonly string[],
): void {
  const accountRoutes = routes.filter((route) => route.errors === 'account');
  for (const [folder, beside] of Map.groupBy(accountRoutes, ({ path }) => folderOf(path))) {
    const looks = beside.some(({ methods }) => methods.includes('GET'));
    // A bucket may have the same name as the folder, and be read.
    const method = all.filter((name) => looks || !READING.has(name));
    const url = `${folder}*`;
    const handler = (request: FastifyRequest, reply: FastifyReply) => {
      const isHere = beside.some((route) => isServed(route, request.raw, deps));
      refuse(request, reply, isHere ? new Fault('noSuchCall') : noRoute(), deps);
    };
    app.route({ method, url, handler });
  }
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}

function noRoute(): Fault {
  return new Fault('notFound', { hint: 'no such route' });
}

/** Whether the host that the request came to answers for the route's role. */
function isServed(route: Route, request: IncomingMessage, { hosts }: AppDeps): boolean {
  // Only their own hosts lead to the routes of S3 and the console, and to no others.
  if (route.role === 's3' || route.role === 'console') return true;
  const meaning = hosts.meaning(request.headers.host ?? '');
  return meaning.kind !== 'roles' || meaning.roles.has(route.role as Role);
}

async function run(route: Route, request: FastifyRequest, reply: FastifyReply, deps: AppDeps): Promise<void> {
  reply.hijack();
  const { raw } = reply;
  showType(request.raw);
  letGo(raw, deps);
  keepWhileAtWork(request.raw, raw);
  const arriving = deps.arriving.of(request.raw);
  const { routed, pattern } = seenBy(route, request);
  const call = new Call(routed, raw, deps.trust, deps.bodies, arriving, pattern);
  const trace = deps.traces.begin();
  request.trace = trace;
  try {
    if (!isServed(route, request.raw, deps)) throw noRoute();
    const answer = await withTrace(trace, () => route.handle(call));
    letGo(raw, deps);
    if (answer !== undefined) {
      if (answer.why !== undefined) {
        deps.requestLog.explain(request, answer.why);
        trace?.refused('answer', answer.status, answer.why);
      }
      if (request.raw.complete || route.body === 'stream') sendAnswer(raw, answer, call.reqid);
      else answerUnread(request.raw, raw, answer, call.reqid);
    } else if (!raw.writableEnded && !call.takenOver) throw new Error('a handler gave no answer');
  } catch (error) {
    refuse(request, reply, error, deps, call.answersInPlainText);
  }
}

/** What the handler sees of the request. */
function seenBy(
  { path, within }: Route,
  request: FastifyRequest,
): { readonly routed: RoutedRequest; readonly pattern: string } {
  if (within === undefined) return { routed: request, pattern: path };
  const { raw, id, originalUrl, params } = request;
  const routed = { raw, id, params, originalUrl: originalUrl.slice(within.length) };
  return { routed, pattern: path.slice(BY_CONSOLE.length + within.length) };
}

function refuse(
  request: FastifyRequest,
  reply: FastifyReply,
  error: unknown,
  deps: AppDeps,
  isPlainText = false,
): void {
  const { raw } = reply;
  const own = request.routeOptions.config.route?.refusal?.(error, request.raw, request.id);
  // A refusal of its own says in `why` what the log needs, except for failures of ours.
  const fault = own === undefined || own.status === 500 ? toFault(error) : undefined;
  reply.hijack();
  letGo(raw, deps);
  // A client that was too slow once gets no second wait.
  const isWaitedFor = !(error instanceof Fault && error.fault === 'requestTimeout');
  if (!isWaitedFor) raw.shouldKeepAlive = false;
  if (fault?.status === 599) deps.requestLog.failed(request, fault);
  else deps.requestLog.explain(request, fault ?? own?.why ?? '');
  explainTrace(request, deps, fault, own);
  if (raw.headersSent) {
    // Half the answer is out: only closing the connection tells the client that it is incomplete.
    raw.destroy();
    return;
  }
  const answer = own ?? inForm(toFault(error), isPlainText);
  if (request.raw.complete) sendAnswer(raw, answer, request.id);
  else answerUnread(request.raw, raw, answer, request.id, isWaitedFor);
}

/** A failure of ours says no more than its client is told; the log has the rest. */
function explainTrace(
  request: FastifyRequest,
  { traces }: AppDeps,
  fault: Fault | undefined,
  own: Answer | undefined,
): void {
  request.trace ??= traces.begin();
  if (fault !== undefined) request.trace?.refused(fault.fault, fault.status, fault.hint);
  else request.trace?.refused('answer', own?.status ?? 0, own?.why);
}

function inForm(fault: Fault, isPlainText: boolean): Answer {
  const answer = faultAnswer(fault);
  return isPlainText ? inPlainText(answer) : answer;
}

/** A connection that stays open while the server drains would be cut during its next request. */
function letGo(response: ServerResponse, { state }: AppDeps): void {
  if (state.draining) response.shouldKeepAlive = false;
}

function frameworkFault(error: FastifyError): Fault {
  if (error.statusCode !== undefined && error.statusCode < 500)
    return new Fault('invalidArgument', { detail: error.message });
  return toFault(error);
}

function record(request: FastifyRequest, reply: FastifyReply, deps: AppDeps): void {
  const { requestTimes, requestLog, traces, trust } = deps;
  const { config, url = 'none' } = request.routeOptions;
  const status = reply.raw.statusCode;
  requestTimes.observe(config.route, url, status, reply.elapsedTime / 1000);
  requestLog.ended(request, reply);
  if (request.trace === undefined) return;
  const { elapsedTime: ms } = reply;
  traces.end(request.trace, status, ms, () => ({
    ...nameOf(request),
    role: request.routeOptions.config.route?.role,
    ...{ status, ms, address: peerOf(request.raw, trust).address },
  }));
}
