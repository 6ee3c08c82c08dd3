/**
 * Requests that `millpond listen --forward-to` forwarded. Host and target are signed, but the receiver sees its own;
 * the signed ones come along in two headers.
 */

const FORWARDED_HOST = 'millpond-forwarded-host';
const FORWARDED_TARGET = 'millpond-forwarded-target';

/** Headers added to a forwarded request, replacing any of these names that it came with. */
export function forwardedHeaders(request: Pick<ReceivedRequest, 'url' | 'headers'>): Record<string, string> {
  return { [FORWARDED_HOST]: String(request.headers.host ?? ''), [FORWARDED_TARGET]: request.url };
}

/** The request as it was before forwarding; a request that was not forwarded is returned unchanged. */
export function beforeForwarding(request: ReceivedRequest): ReceivedRequest {
  const { [FORWARDED_HOST]: host, [FORWARDED_TARGET]: target, ...headers } = request.headers;
  if (typeof host !== 'string' || typeof target !== 'string') return request;
  return { ...request, url: target, headers: { ...headers, host } };
}

/** A request as it arrived; Node's IncomingMessage has these fields, but the body must be read first. */
export interface ReceivedRequest {
  readonly method: string;
  /** The raw request target: path and query. */
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Uint8Array;
}
