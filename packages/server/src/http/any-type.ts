/**
 * Fastify refuses a Content-Type that is no media type before it calls a handler. To S3 any text is one, also an empty one: it
 * is hidden until the handler is called.
 */
import type { IncomingMessage } from 'node:http';

const hidden = new WeakMap<IncomingMessage, string>();

export function hideContentType(request: IncomingMessage): void {
  const type = request.headers['content-type'];
  if (type === undefined) return;
  hidden.set(request, type);
  delete request.headers['content-type'];
}

export function restoreContentType(request: IncomingMessage): void {
  const type = hidden.get(request);
  if (type !== undefined) request.headers['content-type'] = type;
}
