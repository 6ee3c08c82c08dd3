/**
 * Calls that pages of any origin may make, with `fetch` as with a plain form: their credential is in the request
 * itself, never in a cookie, so there is nothing that another origin could borrow.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Answer } from './call.ts';
import { REQUEST_ID_HEADER } from './send.ts';

/** How long a browser need not ask again. */
const MAX_AGE_SECONDS = 86_400;
const HEADER_NAMES = /^[\w!#$%&'*+.^`|~-]+(?:[ \t]*,[ \t]*[\w!#$%&'*+.^`|~-]+)*$/;

/** Every answer of such a call says so, refusals too: without it a page can't even read the status. */
export function openToOrigins(response: ServerResponse): void {
  response.setHeader('access-control-allow-origin', '*');
  response.setHeader('access-control-expose-headers', REQUEST_ID_HEADER);
}

/** What a browser asks before it sends a request that a form could not have sent. */
export function preflightAnswer(methods: Iterable<string>, request: IncomingMessage): Answer {
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
