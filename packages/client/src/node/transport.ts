/** Requests by Node's own client, over connections that are kept: less work per request than `fetch`. */
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { MillpondError } from '../core/error.ts';
import type { Transport, TransportAnswer, TransportRequest } from '../core/transport.ts';

export interface NodeTransportOptions {
  /** Longest silence of a connection, in milliseconds; default 90 s, for calls that wait for an origin. */
  readonly idleMs?: number;
  /** Certificates to trust besides the usual ones, PEM. */
  readonly ca?: string;
}

const MOST_REDIRECTS = 3;
/** Bodies up to this size go out in one write with their head. */
const JOINED_BYTES = 64 * 1024;
/** Errors of sockets that never were connected. */
const UNSENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

export function nodeTransport({ idleMs = 90_000, ca }: NodeTransportOptions = {}): Transport {
  const options = { keepAlive: true, maxSockets: Number.POSITIVE_INFINITY, scheduling: 'lifo' as const };
  const agents = {
    'http:': { module: http, agent: new http.Agent(options) },
    'https:': { module: https, agent: new https.Agent(ca === undefined ? options : { ...options, ca }) },
  };

  const once = (request: TransportRequest) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const url = new URL(request.url);
      const side = agents[url.protocol as keyof typeof agents] as (typeof agents)['http:'] | undefined;
      if (side === undefined) throw new MillpondError('usage', `${request.url} is neither http nor https`);
      const pieces = piecesOf(request.body);
      const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
      const hasBody = request.body !== undefined || request.method === 'POST' || request.method === 'PUT';
      const sent = side.module.request(url, {
        // The raw target: `URL` would leave it as it is, but for its own idea of an empty path.
        agent: side.agent,
        method: request.method,
        headers: hasBody ? { ...request.headers, 'content-length': length } : { ...request.headers },
        ...(request.signal === undefined ? {} : { signal: request.signal }),
        timeout: idleMs,
      });
      sent.once('response', resolve);
      sent.once('timeout', () =>
        sent.destroy(new MillpondError('timeout', `no answer within ${idleMs / 1000} s`)),
      );
      sent.on('error', (error: NodeJS.ErrnoException) => reject(failure(error, request.signal)));
      if (length <= JOINED_BYTES) sent.end(pieces.length === 0 ? undefined : Buffer.concat(pieces));
      else {
        for (const piece of pieces) sent.write(piece);
        sent.end();
      }
    });

  return async (request) => {
    let { url, headers } = request;
    for (let hops = 0; ; hops++) {
      const message = await once({ ...request, url, headers });
      const { statusCode: status = 0 } = message;
      const { location } = message.headers;
      const isRedirect = request.method === 'GET' && status >= 300 && status < 400 && location !== undefined;
      if (!isRedirect || status === 304 || hops === MOST_REDIRECTS) return answerOf(message, request.signal);
      message.resume();
      url = new URL(location, url).href;
      // A credential is for the host that it was made for.
      const { authorization: _, ...others } = headers;
      headers = others;
    }
  };
}

function answerOf(message: IncomingMessage, signal: AbortSignal | undefined): TransportAnswer {
  return {
    status: message.statusCode ?? 0,
    header: (name) => {
      const value = message.headers[name.toLowerCase()];
      return typeof value === 'string' ? value : value?.[0];
    },
    async text() {
      const pieces: Uint8Array[] = [];
      for await (const chunk of chunksOf(message, signal)) pieces.push(chunk);
      return Buffer.concat(pieces).toString();
    },
    chunks: () => chunksOf(message, signal),
    discard: () => void message.destroy(),
  };
}

async function* chunksOf(
  message: IncomingMessage,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of message as AsyncIterable<Buffer>) yield chunk;
  } catch (error) {
    throw failure(error as NodeJS.ErrnoException, signal);
  }
}

function piecesOf(body: TransportRequest['body']): readonly Uint8Array[] {
  if (body === undefined) return [];
  return typeof body === 'string' ? [Buffer.from(body)] : body;
}

function failure(error: NodeJS.ErrnoException, signal: AbortSignal | undefined): MillpondError {
  if (error instanceof MillpondError) return error;
  if (signal?.aborted) return new MillpondError('cancelled', 'the call was cancelled', { cause: error });
  return new MillpondError('network', `no answer: ${error.message || error.code}`, {
    unsent: UNSENT.has(error.code ?? ''),
    cause: error,
  });
}
