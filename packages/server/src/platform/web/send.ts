/** The only place that turns answers and faults into HTTP: status codes above 599, request ids, error bodies. */
import type { ServerResponse } from 'node:http';
import { Fault, faultBody, isAccountError } from '@millpond/protocol';
import type { Answer } from './call.ts';

export const REQUEST_ID_HEADER = 'x-reqid';

export function sendAnswer(response: ServerResponse, answer: Answer, reqid: string): void {
  if (response.headersSent || response.destroyed) return;
  const body = Buffer.from(answer.body);
  // Statuses above 599 belong to the interface; Fastify's own reply refuses them, Node's does not.
  response.writeHead(answer.status, {
    [REQUEST_ID_HEADER]: reqid,
    'content-length': body.length,
    ...answer.headers,
  });
  response.end(body);
}

export function faultAnswer(fault: Fault): Answer {
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  if (isAccountError(fault.fault)) headers['cache-control'] = 'no-store';
  if (fault.retryAfterSeconds !== undefined) headers['retry-after'] = String(fault.retryAfterSeconds);
  return { status: fault.status, headers, body: JSON.stringify(faultBody(fault)) };
}

/** Whatever was thrown, as a fault: what is not one of ours is our own failure and says nothing about itself. */
export function toFault(error: unknown): Fault {
  if (error instanceof Fault) return error;
  return new Fault('serverFailure', {
    detail: error instanceof Error ? error.message : String(error),
    cause: error,
  });
}
