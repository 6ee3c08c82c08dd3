/** One request from its route to its answer: the handler, a refusal in the route's own form, and what is written about it. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { withTrace } from '@millpond/base';
import { Fault } from '@millpond/protocol';
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
import type { AppDeps } from './app-deps.ts';
import type { Exchange } from './exchange.ts';
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

export async function runRoute(route: Route, exchange: Exchange, deps: AppDeps): Promise<void> {
  const { request, response } = exchange;
  closeIfDraining(response, deps);
  suspendIdleTimeout(request, response);
  const arriving = deps.arriving.of(request);
  const { routed, pattern } = stripConsolePrefix(route, exchange);
  const context = new RequestContext(routed, response, deps.trust, deps.bodies, arriving, pattern);
  const trace = deps.traces.begin();
  exchange.trace = trace;
  try {
    if (!isServed(route, request, deps)) throw noRoute();
    const answer = await withTrace(trace, () => route.handle(context));
    closeIfDraining(response, deps);
    if (answer !== undefined) {
      if (answer.why !== undefined) {
        deps.requestLog.explain(exchange, answer.why);
        trace?.refused('answer', answer.status, answer.why);
      }
      if (request.complete || route.body === 'stream') sendResponse(response, answer, context.reqid);
      else answerAndDrainBody(exchange, answer);
    } else if (!response.writableEnded && !context.takenOver) throw new Error('a handler gave no answer');
  } catch (error) {
    sendError(exchange, error, deps, context.answersInPlainText);
  }
}

/** What the handler sees of the request. */
function stripConsolePrefix(
  { path, within }: Route,
  exchange: Exchange,
): { readonly routed: RoutedRequest; readonly pattern: string } {
  if (within === undefined) return { routed: exchange, pattern: path };
  const { request, id, target, params } = exchange;
  const routed = { request, id, params, target: target.slice(within.length) };
  return { routed, pattern: path.slice(CONSOLE_PREFIX.length + within.length) };
}

export function sendError(exchange: Exchange, error: unknown, deps: AppDeps, isPlainText = false): void {
  const { request, response } = exchange;
  const own = exchange.route?.refusal?.(error, request, exchange.id);
  // A route's own error form puts the log text in `why`; server failures are logged with their cause.
  const fault = own === undefined || own.status === 500 ? toFault(error) : undefined;
  closeIfDraining(response, deps);
  // After a body timeout, do not wait for the rest of the body.
  const isWaitedFor = !(error instanceof Fault && error.fault === 'requestTimeout');
  if (!isWaitedFor) response.shouldKeepAlive = false;
  if (fault?.status === 599) deps.requestLog.failed(exchange, fault);
  else deps.requestLog.explain(exchange, fault ?? own?.why ?? '');
  explainTrace(exchange, deps, fault, own);
  if (response.headersSent) {
    // Half the answer is out: only closing the connection tells the client that it is incomplete, and only the record why.
    response.statusCode = own?.status ?? toFault(error).status;
    response.destroy();
    return;
  }
  const answer = own ?? inForm(toFault(error), isPlainText);
  if (request.complete) sendResponse(response, answer, exchange.id);
  else answerAndDrainBody(exchange, answer, isWaitedFor);
}

/** Where not even a refusal can be sent: the connection ends. */
export function abandon(exchange: Exchange, error: unknown, { requestLog }: AppDeps): void {
  const fault = toFault(error);
  requestLog.failed(exchange, fault);
  exchange.response.statusCode = fault.status;
  exchange.response.destroy();
}

/** A failure of ours says no more than its client is told; the log has the rest. */
function explainTrace(
  exchange: Exchange,
  { traces }: AppDeps,
  fault: Fault | undefined,
  own: HttpResponse | undefined,
): void {
  exchange.trace ??= traces.begin();
  if (fault !== undefined) exchange.trace?.refused(fault.fault, fault.status, fault.hint);
  else exchange.trace?.refused('answer', own?.status ?? 0, own?.why);
}

function inForm(fault: Fault, isPlainText: boolean): HttpResponse {
  const response = faultResponse(fault);
  return isPlainText ? inPlainText(response) : response;
}

/** A connection that stays open while the server drains would be cut during its next request. */
function closeIfDraining(response: ServerResponse, { state }: AppDeps): void {
  if (state.draining) response.shouldKeepAlive = false;
}

export function recordRequest(exchange: Exchange, deps: AppDeps): void {
  const { requestTimes, requestLog, traces, trust } = deps;
  const { elapsedMs: ms, pattern, request, response, route, trace } = exchange;
  const status = response.writableFinished || response.statusCode >= 400 ? response.statusCode : HUNG_UP;
  requestTimes.observe(route, pattern, status, ms / 1000);
  requestLog.ended(exchange, status, ms);
  if (trace === undefined) return;
  traces.end(trace, status, ms, () => ({
    ...nameOf(exchange),
    role: route?.role,
    status,
    ms,
    address: peerOf(request, trust).address,
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
