/** The only place that turns answers and faults into HTTP: status codes above 599, request ids, error bodies. */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { Fault, faultBody, isAccountError } from '@millpond/protocol';
import type { HttpResponse } from './call.ts';

export const REQUEST_ID_HEADER = 'x-reqid';

export function sendResponse(response: ServerResponse, answer: HttpResponse, reqid: string): void {
  if (response.headersSent || response.destroyed) return;
  const body = Buffer.from(answer.body);
  response.writeHead(answer.status, headersOf(answer, body, reqid));
  response.end(body);
}

/** Everything but the end: the client has the answer, and the connection stays open until the caller ends it. */
export function sendWithoutEnd(response: ServerResponse, answer: HttpResponse, reqid: string): void {
  if (response.headersSent || response.destroyed) return;
  const body = Buffer.from(answer.body);
  response.writeHead(answer.status, { ...headersOf(answer, body, reqid), connection: 'close' });
  response.write(body);
}

function headersOf(response: HttpResponse, body: Buffer, reqid: string): Record<string, string | number> {
  const headers = { [REQUEST_ID_HEADER]: reqid, ...response.headers };
  // In a 304 the length would be taken for that of the object; a 204 may not have one.
  return response.status === 304 || response.status === 204
    ? headers
    : { 'content-length': body.length, ...headers };
}

export function faultResponse(fault: Fault): HttpResponse {
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  // A failure of ours is over sooner than any cache would assume, whatever caching the requested content allows.
  if (isAccountError(fault.fault) || fault.status === 599) headers['cache-control'] = 'no-store';
  if (fault.retryAfterSeconds !== undefined) headers['retry-after'] = String(fault.retryAfterSeconds);
  return { status: fault.status, headers, body: JSON.stringify(faultBody(fault)) };
}

/** Old browsers offer JSON in a frame as a download; plain text is shown. */
export function inPlainText(response: HttpResponse): HttpResponse {
  const headers = { ...response.headers, 'content-type': 'text/plain', 'x-content-type-options': 'nosniff' };
  return { ...response, headers };
}

/** Converts anything thrown into a fault: what is not one of ours is our own failure and reveals nothing about itself. */
export function toFault(error: unknown): Fault {
  if (error instanceof Fault) return error;
  return new Fault('serverFailure', {
    detail: error instanceof Error ? error.message : String(error),
    cause: error,
  });
}

/** A client that disconnects during the wait is no failure of ours: the cancel's own reason is thrown then. */
export async function waitForDrain(response: ServerResponse, cancel: AbortSignal): Promise<void> {
  try {
    await once(response, 'drain', { signal: cancel });
  } catch (error) {
    cancel.throwIfAborted();
    throw error;
  }
}
