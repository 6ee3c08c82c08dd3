/** Real receivers on loopback addresses that behave as badly as a test wants, byte by byte, and count connections. */
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

export interface Receiver {
  readonly port: number;
  /** `http://address:port` */
  readonly url: string;
  /** Connections accepted so far. */
  readonly accepted: number;
  /** Connections that are open now. */
  readonly open: number;
  /** The heads of requests, as they came. */
  readonly requests: string[];
  /** Resolves when no connection is left, else rejects. */
  drained(): Promise<void>;
  close(): Promise<void>;
}

export interface ReceiverOptions {
  readonly address?: string;
  readonly port?: number;
}

/** Called with each request's head (its body is not read). */
export type Behaviour = (socket: Socket, head: string) => void;

const DRAIN_MS = 3000;

export async function startReceiver(behaviour: Behaviour, options: ReceiverOptions = {}): Promise<Receiver> {
  const { address = '127.0.0.1', port = 0 } = options;
  const sockets = new Set<Socket>();
  const requests: string[] = [];
  let accepted = 0;
  const server = createServer((socket) => {
    accepted += 1;
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    let text = '';
    socket.on('data', (bytes) => {
      text += bytes.toString('latin1');
      for (let end = text.indexOf('\r\n\r\n'); end >= 0; end = text.indexOf('\r\n\r\n')) {
        const head = text.slice(0, end);
        requests.push(head);
        text = text.slice(end + 4 + Number(/content-length: (\d+)/.exec(head)?.[1] ?? 0));
        behaviour(socket, head);
      }
    });
  });
  server.listen(port, address);
  await once(server, 'listening');
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new Error('no port');
  return {
    port: bound.port,
    url: `http://${address}:${bound.port}`,
    requests,
    get accepted() {
      return accepted;
    },
    get open() {
      return sockets.size;
    },
    async drained() {
      for (let waited = 0; sockets.size > 0; waited += 20) {
        if (waited > DRAIN_MS) throw new Error(`${sockets.size} connections are left`);
        await pause(20);
      }
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** A plain answer that keeps the connection. */
export function reply(status: number, body = '', headers: readonly string[] = []): Behaviour {
  return (socket) => {
    const lines = [`HTTP/1.1 ${status} Text`, `content-length: ${Buffer.byteLength(body)}`, ...headers];
    socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`);
  };
}

/** Keeps writing, with respect for back-pressure, until the connection is gone. */
export function pour(socket: Socket, chunk: Uint8Array | string, limit = Number.POSITIVE_INFINITY): void {
  let left = limit;
  const more = (): void => {
    while (left > 0 && !socket.destroyed) {
      left -= chunk.length;
      if (!socket.write(chunk)) {
        socket.once('drain', more);
        return;
      }
    }
  };
  more();
}
