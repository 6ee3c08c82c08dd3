/** One request from its route to its answer: the handler, a refusal in the route's own form, and what is written about it. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { withTrace } from '@millpond/base';
import { Fault } from '@millpond/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Role } from '../config/listeners.ts';
import {
  CONSOLE_PREFIX,
  faultResponse,
  type HttpResponse,
  hasUnreadBytes,
  inPlainText,
  peerOf,
  RequestContext,
  type Route,
  type RoutedRequest,
  sendResponse,
  toFault,
} from '../platform/web/index.ts';
import { restoreContentType } from './any-type.ts';
import type { AppDeps } from './app-deps.ts';
import { HUNG_UP, nameOf } from './request-log.ts';
import { answerAndDrainBody } from './unread-body.ts';

export function noRoute(): Fault {
  return new Fault('notFound', { hint: 'no such route' });
}

/** All roles that answer the route. */
export function rolesOf({ role, alsoAt = [] }: Route): readonly string[] {
  return [role, ...alsoAt];
}

/** Whether the host that the request came to answers for the route's role. */
export function isServed(route: Route, request: IncomingMessage, { hosts }: AppDeps): boolean {
  // Only their own hosts lead to the routes of S3 and the console, and to no others.
  if (route.role === 's3' || route.role === 'console') return true;
  const meaning = hosts.resolve(request.headers.host ?? '');
  if (meaning.kind !== 'roles') return true;
  return rolesOf(route).some((role) => meaning.roles.has(role as Role));
}

export async function runRoute(
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
  deps: AppDeps,
): Promise<void> {
  reply.hijack();
  const { raw } = reply;
  restoreContentType(request.raw);
  closeIfDraining(raw, deps);
  suspendIdleTimeout(request.raw, raw);
  const arriving = deps.arriving.of(request.raw);
  const { routed, pattern } = stripConsolePrefix(route, request);
  const context = new RequestContext(routed, raw, deps.trust, deps.bodies, arriving, pattern);
  const trace = deps.traces.begin();
  request.trace = trace;
  try {
    if (!isServed(route, request.raw, deps)) throw noRoute();
    const response = await withTrace(trace, () => route.handle(context));
    closeIfDraining(raw, deps);
    if (response !== undefined) {
      if (response.why !== undefined) {
        deps.requestLog.explain(request, response.why);
        trace?.refused('answer', response.status, response.why);
      }
      if (request.raw.complete || route.body === 'stream') sendResponse(raw, response, context.reqid);
      else answerAndDrainBody(request.raw, raw, response, context.reqid);
    } else if (!raw.writableEnded && !context.takenOver) throw new Error('a handler gave no answer');
  } catch (error) {
    sendError(request, reply, error, deps, context.answersInPlainText);
  }
}

/** What the handler sees of the request. */
function stripConsolePrefix(
  { path, within }: Route,
  request: FastifyRequest,
): { readonly routed: RoutedRequest; readonly pattern: string } {
  if (within === undefined) return { routed: request, pattern: path };
  const { raw, id, originalUrl, params } = request;
  const routed = { raw, id, params, originalUrl: originalUrl.slice(within.length) };
  return { routed, pattern: path.slice(CONSOLE_PREFIX.length + within.length) };
}

export function sendError(
  request: FastifyRequest,
  reply: FastifyReply,
  error: unknown,
  deps: AppDeps,
  isPlainText = false,
): void {
  const { raw } = reply;
  const own = request.routeOptions.config.route?.refusal?.(error, request.raw, request.id);
  // A route's own error form puts the log text in `why`; server failures are logged with their cause.
  const fault = own === undefined || own.status === 500 ? toFault(error) : undefined;
  reply.hijack();
  closeIfDraining(raw, deps);
  // After a body timeout, do not wait for the rest of the body.
  const isWaitedFor = !(error instanceof Fault && error.fault === 'requestTimeout');
  if (!isWaitedFor) raw.shouldKeepAlive = false;
  if (fault?.status === 599) deps.requestLog.failed(request, fault);
  else deps.requestLog.explain(request, fault ?? own?.why ?? '');
  explainTrace(request, deps, fault, own);
  if (raw.headersSent) {
    // Half the answer is out: only closing the connection tells the client that it is incomplete, and only the record why.
    raw.statusCode = own?.status ?? toFault(error).status;
    raw.destroy();
    return;
  }
  const response = own ?? inForm(toFault(error), isPlainText);
  if (request.raw.complete) sendResponse(raw, response, request.id);
  else answerAndDrainBody(request.raw, raw, response, request.id, isWaitedFor);
}

/** A failure of ours says no more than its client is told; the log has the rest. */
function explainTrace(
  request: FastifyRequest,
  { traces }: AppDeps,
  fault: Fault | undefined,
  own: HttpResponse | undefined,
): void {
  request.trace ??= traces.begin();
  if (fault !== undefined) request.trace?.refused(fault.fault, fault.status, fault.hint);
  else request.trace?.refused('answer', own?.status ?? 0, own?.why);
}

function inForm(fault: Fault, isPlainText: boolean): HttpResponse {
  const response = faultResponse(fault);
  return isPlainText ? inPlainText(response) : response;
}

/** A connection that stays open while the server drains would be cut during its next request. */
function closeIfDraining(response: ServerResponse, { state }: AppDeps): void {
  if (state.draining) response.shouldKeepAlive = false;
}

export function recordRequest(
  request: FastifyRequest,
  { raw }: FastifyReply,
  ms: number,
  deps: AppDeps,
): void {
  const { drain, requestTimes, requestLog, traces, trust } = deps;
  const { config, url = 'none' } = request.routeOptions;
  const status = raw.writableFinished || raw.statusCode >= 400 ? raw.statusCode : HUNG_UP;
  drain.ended(raw);
  requestTimes.observe(config.route, url, status, ms / 1000);
  requestLog.ended(request, status, ms);
  if (request.trace === undefined) return;
  traces.end(request.trace, status, ms, () => ({
    ...nameOf(request),
    role: request.routeOptions.config.route?.role,
    status,
    ms,
    address: peerOf(request.raw, trust).address,
  }));
}

/**
 * Closes a connection that is silent for too long, unless the client is waiting for us: a handler may take longer (a fetch
 * waits for another server), and its client has nothing to send in that time; or the handler is not reading the body because
 * the engine is slow, and the client cannot continue.
 */
export function suspendIdleTimeout(request: IncomingMessage, response: ServerResponse): void {
  // A `timeout` listener keeps Node from closing the socket; any byte restarts the timer.
  response.on('timeout', () => {
    if (response.headersSent || !(request.complete || hasUnreadBytes(request))) request.socket.destroy();
  });
}
