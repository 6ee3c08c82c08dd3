/**
 * Requests that `millpond listen --forward-to` passed on. Host and target are signed, and those that a receiver sees then
 * are its own; the ones that were signed come beside them, in two headers.
 */

const FORWARDED_HOST = 'millpond-forwarded-host';
const FORWARDED_TARGET = 'millpond-forwarded-target';

/** What is added to a request that is passed on, in place of headers of these names that it may have come with. */
export function forwardedHeaders(request: Pick<ReceivedRequest, 'url' | 'headers'>): Record<string, string> {
  return { [FORWARDED_HOST]: String(request.headers.host ?? ''), [FORWARDED_TARGET]: request.url };
}

/** The request as it was before it was passed on; one that was not is itself. */
export function beforeForwarding(request: ReceivedRequest): ReceivedRequest {
  const { [FORWARDED_HOST]: host, [FORWARDED_TARGET]: target, ...headers } = request.headers;
  if (typeof host !== 'string' || typeof target !== 'string') return request;
  return { ...request, url: target, headers: { ...headers, host } };
}

/** A request as it arrived; Node's IncomingMessage has these fields, the body must be read first. */
export interface ReceivedRequest {
  readonly method: string;
  /** The raw request target: path and query. */
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Uint8Array;
}
