/**
 * Assembles the routes of a listener's roles: request ids, the judgement of hosts and methods, bodies with limits,
 * faults to the wire, metrics and logs. One app per listener.
 */
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { Fault } from '@millpond/protocol';
import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import type { Config } from '../config/config.ts';
import type { Listener, Role } from '../config/listeners.ts';
import type { Log } from '../platform/log.ts';
import {
  BY_BUCKET_HOST,
  BY_DOMAIN,
  Call,
  faultAnswer,
  type Method,
  type ProxyTrust,
  type Route,
  sendAnswer,
  toFault,
} from '../platform/web/index.ts';
import type { HostDirectory, HostMeaning } from './hosts.ts';
import type { Metrics } from './metrics.ts';

/** Signed bodies are held in memory to be verified. */
const BODY_LIMIT = 4 * 1024 * 1024;
const SLOW_MS = 5_000;
const METHODS: readonly Method[] = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'];

export interface AppParts {
  readonly config: Config;
  readonly hosts: HostDirectory;
  readonly trust: ProxyTrust;
  readonly routes: readonly Route[];
  readonly log: Log;
  readonly metrics: Metrics;
  readonly nextRequestId: () => string;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    route?: Route;
  }
}

export async function buildApp(listener: Listener, parts: AppParts): Promise<FastifyInstance> {
  const app = createFastify(listener, parts);
  app.removeAllContentTypeParsers();
  app.addHook('onResponse', (request, reply, done) => {
    record(request, reply, parts);
    done();
  });
  await app.register(async (scope) => {
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_LIMIT }, (_request, body, done) =>
      done(null, body),
    );
    mount(scope, (route) => route.body !== 'stream', listener, parts);
  });
  await app.register(async (scope) => {
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    mount(scope, (route) => route.body === 'stream', listener, parts);
  });
  app.setNotFoundHandler((request, reply) =>
    refuse(request, reply, new Fault('notFound', { hint: 'no such route' }), parts),
  );
  app.setErrorHandler((error: FastifyError, request, reply) =>
    refuse(request, reply, frameworkFault(error), parts),
  );
  return app;
}

function createFastify(listener: Listener, { config, hosts, nextRequestId }: AppParts): FastifyInstance {
  const options = {
    logger: false,
    genReqId: nextRequestId,
    requestTimeout: config.requestTimeout,
    connectionTimeout: config.idleTimeout,
    keepAliveTimeout: config.idleTimeout,
    forceCloseConnections: 'idle' as const,
    // A request that was accepted while the server drains is answered like any other.
    return503OnClosing: false,
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: 16_384, ignoreDuplicateSlashes: false },
    rewriteUrl: (request: IncomingMessage) =>
      routedTarget(request.url ?? '/', hosts.meaning(request.headers.host ?? '')),
    http: { maxHeaderSize: 32 * 1024 },
  };
  if (!listener.tls) return Fastify(options) as unknown as FastifyInstance;
  const { tlsCert, tlsKey } = config;
  if (tlsCert === undefined || tlsKey === undefined)
    throw new Error('an https listener needs a certificate and its key');
  const https = { cert: readFileSync(tlsCert), key: readFileSync(tlsKey), maxHeaderSize: 32 * 1024 };
  return Fastify({ ...options, https }) as unknown as FastifyInstance;
}

function routedTarget(target: string, meaning: HostMeaning): string {
  if (meaning.kind === 'bucket') return `${BY_BUCKET_HOST}${meaning.bucket}${target}`;
  if (meaning.kind === 'domain') return `${BY_DOMAIN}${meaning.domain}${target}`;
  return target;
}

function mount(
  scope: FastifyInstance,
  pick: (route: Route) => boolean,
  listener: Listener,
  parts: AppParts,
): void {
  const byPath = Map.groupBy(
    parts.routes.filter((route) => pick(route) && listener.roles.has(route.role as Role)),
    (route) => route.path,
  );
  for (const [url, routes] of byPath) {
    const taken = new Set<Method>();
    for (const route of routes) {
      const method = route.methods.filter((name) => !taken.has(name));
      for (const name of method) taken.add(name);
      scope.route({
        method,
        url,
        config: { route },
        handler: (request, reply) => run(route, request, reply, parts),
      });
    }
    const others = METHODS.filter((method) => !taken.has(method));
    const [first] = routes;
    if (first === undefined || others.length === 0) continue;
    scope.route({
      method: others,
      url,
      handler: (request, reply) => {
        const name = first.errors === 'account' ? 'invalidRequestMethod' : 'methodNotAllowed';
        refuse(request, reply, new Fault(name, { hint: `use ${[...taken].join(' or ')}` }), parts);
      },
    });
  }
}

async function run(
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
  parts: AppParts,
): Promise<void> {
  reply.hijack();
  const { raw } = reply;
  const call = new Call(request, raw, parts.trust);
  try {
    const meaning = parts.hosts.meaning(call.host);
    if (meaning.kind === 'roles' && !meaning.roles.has(route.role as Role))
      throw new Fault('notFound', { hint: 'no such route' });
    const answer = await route.handle(call);
    if (answer !== undefined) sendAnswer(raw, answer, call.reqid);
    else if (!raw.writableEnded && !call.takenOver) throw new Error('a handler gave no answer');
  } catch (error) {
    refuse(request, reply, toFault(error), parts);
  }
}

function refuse(request: FastifyRequest, reply: FastifyReply, fault: Fault, { log }: AppParts): void {
  const { raw } = reply;
  reply.hijack();
  if (fault.status === 599) {
    log.error(
      {
        reqid: request.id,
        method: request.method,
        path: pathOf(request),
        detail: fault.message,
        err: fault.cause,
      },
      'request failed',
    );
  }
  if (raw.headersSent) {
    // Half an answer is out: only closing the connection tells the client that it isn't whole.
    raw.destroy();
    return;
  }
  const unread = !request.raw.complete;
  const answer = faultAnswer(fault);
  // What is left of an unread body would be taken for the next request.
  sendAnswer(
    raw,
    unread ? { ...answer, headers: { ...answer.headers, connection: 'close' } } : answer,
    request.id,
  );
}

function frameworkFault(error: FastifyError): Fault {
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return new Fault('tooLarge', { hint: `a request body may have ${BODY_LIMIT} bytes here` });
  if (error.statusCode !== undefined && error.statusCode < 500)
    return new Fault('invalidArgument', { detail: error.message });
  return toFault(error);
}

function record(request: FastifyRequest, reply: FastifyReply, { config, log, metrics }: AppParts): void {
  const status = reply.raw.statusCode;
  metrics.observeRequest(request.routeOptions.url ?? 'none', status, reply.elapsedTime / 1000);
  if (config.logRequests || reply.elapsedTime > SLOW_MS) {
    log.info(
      {
        reqid: request.id,
        method: request.method,
        path: pathOf(request),
        status,
        ms: Math.round(reply.elapsedTime),
      },
      'request',
    );
  }
}

/** Without the query: it may hold a download token. */
function pathOf(request: FastifyRequest): string {
  const mark = request.originalUrl.indexOf('?');
  return mark < 0 ? request.originalUrl : request.originalUrl.slice(0, mark);
}
