/** A business server on this machine: it records what it gets, and answers as well or as badly as a test wants. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll } from 'vitest';
import { target } from '../target.ts';

export interface Received {
  readonly method: string;
  /** The raw request target. */
  readonly target: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly text: string;
}

export type Script = (response: ServerResponse, received: Received) => unknown;

/** One path of the receiver, with the requests that came there. */
export interface Endpoint {
  readonly url: string;
  readonly requests: readonly Received[];
  /** The only request that came. */
  readonly only: Received;
}

export interface Receiver {
  readonly url: string;
  readonly port: number;
  /** Connections that are open now. */
  readonly open: number;
  /** An endpoint of its own for this script, at a path (and query) of its own unless one is given. */
  at(script: Script, path?: string): Endpoint;
}

/** To be called at the top of a file; it listens while the file's tests run. */
export function useReceiver(options: { secure?: boolean; keepAliveMs?: number } = {}): Receiver {
  const endpoints = new Map<string, { script: Script; requests: Received[] }>();
  const sockets = new Set<Socket>();
  const scheme = options.secure ? 'https' : 'http';
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const received = await read(request);
    const endpoint = endpoints.get(received.target.replace(/[?#].*/s, ''));
    if (endpoint === undefined) {
      response.writeHead(404).end();
      return;
    }
    endpoint.requests.push(received);
    await endpoint.script(response, received);
  };
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    // A caller that gave up is what some tests are about.
    handle(request, response).catch(() => response.destroy());
  };
  const server = options.secure
    ? createSecureServer(
        { cert: readFileSync(target.trusted.certificate), key: readFileSync(target.trusted.key) },
        listener,
      )
    : createServer(listener);
  server.on(options.secure ? 'secureConnection' : 'connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined);
  });
  if (options.keepAliveMs !== undefined) server.keepAliveTimeout = options.keepAliveMs;
  const port = () => (server.address() as AddressInfo).port;
  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  });
  return {
    get url() {
      return `${scheme}://127.0.0.1:${port()}`;
    },
    get port() {
      return port();
    },
    get open() {
      return sockets.size;
    },
    at(script, path = `/${endpoints.size}/callback`) {
      const requests: Received[] = [];
      endpoints.set(path.replace(/[?#].*/s, ''), { script, requests });
      return {
        url: `${scheme}://127.0.0.1:${port()}${path}`,
        requests,
        get only() {
          const [request, ...more] = requests;
          if (request === undefined || more.length > 0)
            throw new Error(`${requests.length} requests came to ${path}, not one`);
          return request;
        },
      };
    },
  };
}

async function read(request: IncomingMessage): Promise<Received> {
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
  );
  const body = await buffer(request);
  return {
    method: request.method ?? '',
    target: request.url ?? '',
    headers,
    body,
    text: body.toString(),
  };
}

/** A plain answer with these bytes. */
export function reply(status: number, body: string | Uint8Array = '', type = 'application/json'): Script {
  return (response) => response.writeHead(status, { 'content-type': type }).end(body);
}

export function json(value: unknown, status = 200): Script {
  return reply(status, JSON.stringify(value));
}

export function redirect(to: string): Script {
  return (response) => response.writeHead(302, { location: to }).end('{}');
}

/** Takes the request and never says a word. */
export const hang: Script = () => undefined;

export const reset: Script = (response) => response.socket?.resetAndDestroy();

/** Closes in the middle of its answer. */
export const cut: Script = (response) => {
  response.writeHead(200, { 'content-length': '1000' });
  response.write('{"cut":', () => response.destroy());
};

/** JSON that would be fine if it ever ended. */
export const drip: Script = async (response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  while (!response.destroyed) {
    response.write(' ');
    await sleep(100);
  }
};

function drainedOrClosed(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.on('drain', done).on('close', done);
  });
}

/** Pours out so many bytes, and says how many went before the other side had enough. */
export function flood(bytes: number, announced: boolean): { script: Script; readonly poured: number } {
  let poured = 0;
  const chunk = Buffer.alloc(64 * 1024, ' ');
  return {
    get poured() {
      return poured;
    },
    async script(response) {
      response.writeHead(200, announced ? { 'content-length': String(bytes) } : {});
      while (poured < bytes && !response.destroyed) {
        poured += chunk.length;
        if (!response.write(chunk)) await drainedOrClosed(response);
      }
      response.end();
    },
  };
}
