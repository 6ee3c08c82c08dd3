/**
 * HTTP/1.1 by hand, over a plain socket: targets and headers go out exactly as given, and statuses, repeated headers
 * and missing bodies come back exactly as sent. `fetch` would tidy all of that.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { target } from './target.ts';

export interface RawRequest {
  readonly method?: string;
  readonly target: string;
  readonly headers?: Iterable<readonly [name: string, value: string]>;
  readonly body?: Uint8Array | string;
  /** Default: that of the URL. `null` sends none. */
  readonly host?: string | null;
}

export interface RawResponse {
  readonly status: number;
  /** Names in lower case; a repeated header is there as often as it came. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
  header(name: string): string | undefined;
  text(): string;
  json(): unknown;
}

/** The bytes of a request. */
export function requestBytes(url: string, request: RawRequest): Buffer {
  const { method = 'GET', host = new URL(url).host, headers = [], body } = request;
  const bytes = body === undefined ? undefined : Buffer.from(body);
  const lines = [`${method} ${request.target} HTTP/1.1`];
  if (host !== null) lines.push(`Host: ${host}`);
  for (const [name, value] of headers) lines.push(`${name}: ${value}`);
  if (bytes !== undefined) lines.push(`Content-Length: ${bytes.length}`);
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
  return bytes === undefined ? head : Buffer.concat([head, bytes]);
}

/** One request on a connection of its own. */
export async function rawFetch(request: RawRequest, url: string = target.url): Promise<RawResponse> {
  const connection = await openConnection(url);
  try {
    connection.socket.write(requestBytes(url, request));
    return await connection.answer(request.method ?? 'GET');
  } finally {
    connection.socket.destroy();
  }
}

export interface RawConnection {
  readonly socket: Socket;
  /** The next answer on this connection. Rejects when the server closes before it is whole. */
  answer(method?: string): Promise<RawResponse>;
  /** Resolves when the server has closed its side. */
  readonly closed: Promise<void>;
}

/** `from`: another address of the loopback network, as another client would have. */
export async function openConnection(url: string = target.url, from?: string): Promise<RawConnection> {
  const { hostname, port } = new URL(url);
  const socket = connect({
    host: hostname,
    port: Number(port),
    ...(from !== undefined && { localAddress: from }),
  });
  await once(socket, 'connect');
  return rawConnection(socket);
}

function rawConnection(socket: Socket): RawConnection {
  let received: Buffer = Buffer.alloc(0);
  let ended: Error | undefined;
  let wake = () => {};
  socket.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    wake();
  });
  const closed = new Promise<void>((resolve) => {
    const end = (error?: Error) => {
      ended ??= error ?? new Error('the server closed the connection');
      wake();
      resolve();
    };
    socket.once('end', () => end());
    socket.once('error', end);
    socket.once('close', () => end());
  });
  const more = () =>
    new Promise<void>((resolve, reject) => {
      if (ended !== undefined) reject(ended);
      else
        wake = () => {
          wake = () => {};
          resolve();
        };
    });
  return {
    socket,
    closed,
    async answer(method = 'GET') {
      for (;;) {
        const parsed = parseFormResponse(received, method, ended !== undefined);
        if (parsed !== undefined) {
          received = received.subarray(parsed.used);
          return parsed.answer;
        }
        await more();
      }
    },
  };
}

function parseFormResponse(
  bytes: Buffer,
  method: string,
  ended: boolean,
): { answer: RawResponse; used: number } | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [statusLine = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3})(?: |$)/.exec(statusLine)?.[1]);
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  const header = (name: string) => headers.find(([candidate]) => candidate === name)?.[1];
  const start = end + 4;
  let body: Buffer;
  const length = header('content-length');
  if (method === 'HEAD' || status === 304 || status === 204) body = Buffer.alloc(0);
  else if (length !== undefined) {
    if (bytes.length < start + Number(length)) return undefined;
    body = Buffer.from(bytes.subarray(start, start + Number(length)));
  } else {
    if (!ended) return undefined;
    body = Buffer.from(bytes.subarray(start));
  }
  const text = () => body.toString();
  const answer = { status, headers, body, header, text, json: (): unknown => JSON.parse(text()) };
  return { answer, used: start + body.length };
}
