/**
 * A kept-alive HTTP/1.1 connection, one request at a time, that knows just enough HTTP for measuring: bodies are counted and dropped,
 * those in chunks with their framing, until something arrives that ends like one. It shares two cores with what it measures, so it reads into one
 * buffer and parses one regular expression per answer.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Address } from './work.ts';

export interface LoadResponse {
  readonly status: number;
  readonly bytes: number;
  readonly location: string | undefined;
}

interface Pending {
  resolve(answer: LoadResponse): void;
  reject(reason: Error): void;
}

const READ_BYTES = 256 * 1024;
const HEAD_LIMIT = 64 * 1024;
const SHOWN_OF_BODY = 300;
const LAST_CHUNK = '0\r\n\r\n';

export async function openConnection(address: Address): Promise<Connection> {
  const connection = new Connection(address);
  await once(connection.socket, 'connect');
  return connection;
}

export class Connection {
  readonly socket: Socket;
  #pending: Pending | undefined;
  #head = '';
  #answer: LoadResponse | undefined;
  #left = 0;
  /** The last bytes of a body in chunks. */
  #tail: string | undefined;
  #shown = '';

  constructor(address: Address) {
    const buffer = Buffer.allocUnsafeSlow(READ_BYTES);
    this.socket = connect({
      ...address,
      noDelay: true,
      onread: {
        buffer,
        callback: (length) => {
          this.#take(buffer, length);
          return true;
        },
      },
    });
    this.socket.on('error', (error) => this.#fail(error));
    this.socket.on('close', () => this.#fail(new Error('the connection was closed before the answer')));
  }

  send(head: string, body?: Uint8Array, tail?: string): Promise<LoadResponse> {
    return new Promise((resolve, reject) => {
      this.#pending = { resolve, reject };
      if (body === undefined) {
        this.socket.write(head, 'latin1');
        return;
      }
      this.socket.cork();
      this.socket.write(head, 'latin1');
      this.socket.write(body);
      if (tail !== undefined) this.socket.write(tail, 'latin1');
      this.socket.uncork();
    });
  }

  close(): void {
    this.socket.destroy();
  }

  #take(buffer: Buffer, length: number): void {
    if (this.#pending === undefined) {
      this.socket.destroy();
      return;
    }
    let start = 0;
    if (this.#answer === undefined) {
      start = this.#takeHead(buffer, length);
      if (start < 0) return;
    }
    const { status } = this.#answer ?? { status: 0 };
    if (status >= 400 && this.#shown.length < SHOWN_OF_BODY)
      this.#shown += buffer.toString('latin1', start, Math.min(length, start + SHOWN_OF_BODY));
    if (this.#tail !== undefined)
      this.#takeChunked(buffer.toString('latin1', Math.max(start, length - 5), length));
    else {
      this.#left -= length - start;
      if (this.#left <= 0) this.#finish();
    }
  }

  #takeChunked(last: string): void {
    this.#tail = `${this.#tail ?? ''}${last}`.slice(-LAST_CHUNK.length);
    if (this.#tail !== LAST_CHUNK) return;
    this.#tail = undefined;
    this.#finish();
  }

  /** Where the body begins in the buffer, or -1 while the head is incomplete. */
  #takeHead(buffer: Buffer, length: number): number {
    const before = this.#head.length;
    this.#head += buffer.toString('latin1', 0, Math.min(length, HEAD_LIMIT));
    const end = this.#head.indexOf('\r\n\r\n');
    if (end < 0) {
      if (this.#head.length > HEAD_LIMIT) this.#fail(new Error('the head of an answer does not end'));
      return -1;
    }
    const head = this.#head.slice(0, end);
    this.#head = '';
    const bytes = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
    if (bytes === undefined && /\r\ntransfer-encoding: *chunked/i.test(head)) this.#tail = '';
    else if (bytes === undefined) {
      this.#fail(new Error(`an answer without Content-Length: ${head}`));
      return -1;
    }
    const status = Number(head.slice(9, 12));
    const location = status === 302 ? /\r\nlocation: *(\S+)/i.exec(head)?.[1] : undefined;
    this.#answer = { status, bytes: Number(bytes ?? 0), location };
    this.#left = Number(bytes ?? 0);
    return end + 4 - before;
  }

  #finish(): void {
    const pending = this.#pending;
    const answer = this.#answer;
    const shown = this.#shown;
    const excess = -this.#left;
    this.#pending = undefined;
    this.#answer = undefined;
    this.#shown = '';
    if (pending === undefined || answer === undefined) return;
    if (excess > 0) pending.reject(new Error(`${excess} bytes more than the answer announced`));
    else if (answer.status >= 400) pending.reject(new Error(`answered ${answer.status}: ${shown}`));
    else pending.resolve(answer);
  }

  #fail(error: Error): void {
    const pending = this.#pending;
    this.#pending = undefined;
    this.socket.destroy();
    pending?.reject(error);
  }
}
