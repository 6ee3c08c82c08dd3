/** An engine whose answers a test writes byte by byte. */
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { Certificate } from '@millpond/testing';

export interface ScriptedRequest {
  readonly socket: Socket;
  readonly first: number;
  readonly last: number;
  /** Requests of this connection, this one included. */
  readonly count: number;
}

export type ScriptedHandler = (request: ScriptedRequest) => unknown;

export interface ScriptedEngine {
  readonly endpoint: string;
  readonly accepted: number;
  readonly open: number;
  readonly requests: number;
  close(): Promise<void>;
}

/** `keys`: behind TLS. */
export async function startScriptedEngine(
  answer: ScriptedHandler,
  keys?: Certificate['keys'],
): Promise<ScriptedEngine> {
  const sockets = new Set<Socket>();
  let accepted = 0;
  let requests = 0;
  const accept = (socket: Socket): void => {
    let text = '';
    let count = 0;
    accepted++;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      for (let end = text.indexOf('\r\n\r\n'); end >= 0; end = text.indexOf('\r\n\r\n')) {
        const [, first, last] = /range: bytes=(\d+)-(\d+)/.exec(text) ?? [];
        text = text.slice(end + 4);
        count++;
        requests++;
        answer({ socket, first: Number(first), last: Number(last), count });
      }
    });
  };
  const server = keys
    ? createTlsServer({ ...keys, noDelay: true }, accept)
    : createServer({ noDelay: true }, accept);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    endpoint: `${keys ? 'https' : 'http'}://127.0.0.1:${address.port}`,
    get accepted() {
      return accepted;
    },
    get open() {
      return sockets.size;
    },
    get requests() {
      return requests;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** The head of a proper answer with a part of a blob. */
export function partHead(first: number, last: number): string {
  const length = last - first + 1;
  return `HTTP/1.1 206 Partial Content\r\nContent-Length: ${length}\r\nContent-Range: bytes ${first}-${last}/9999999999\r\n\r\n`;
}
