/**
 * Calls that pages of any origin may make, with `fetch` or with a plain form: their credential is in the request itself, never
 * in a cookie, so there is nothing that another origin could borrow.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HttpResponse } from './call.ts';
import { REQUEST_ID_HEADER } from './send.ts';

/** How long a browser may cache the preflight answer. */
const MAX_AGE_SECONDS = 86_400;
const HEADER_NAMES = /^[\w!#$%&'*+.^`|~-]+(?:[ \t]*,[ \t]*[\w!#$%&'*+.^`|~-]+)*$/;

/** Every answer to such a call needs this, refusals too: without it a page cannot even read the status. */
export function openToOrigins(response: ServerResponse): void {
  response.setHeader('access-control-allow-origin', '*');
  response.setHeader('access-control-expose-headers', REQUEST_ID_HEADER);
}

/** Answers what a browser asks before it sends a request that a form could not have sent. */
export function preflightResponse(methods: Iterable<string>, request: IncomingMessage): HttpResponse {
  const asked = request.headers['access-control-request-headers'] ?? '';
  return {
    status: 200,
    headers: {
      'access-control-allow-methods': [...methods, 'OPTIONS'].join(', '),
      ...(HEADER_NAMES.test(asked) ? { 'access-control-allow-headers': asked } : {}),
      'access-control-max-age': String(MAX_AGE_SECONDS),
    },
    body: '',
  };
}
