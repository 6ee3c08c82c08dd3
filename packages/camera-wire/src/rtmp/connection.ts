/** One connection to an RTMP engine, from the publisher's side: outgoing messages, and the answers that it waits for. */
import { once } from 'node:events';
import type net from 'node:net';
import { type AmfValue, encodeAmf, readCommand } from './amf.ts';
import { ChunkReader, MESSAGE_TYPES, OWN_CHUNK_BYTES, type RtmpMessage, writeMessage } from './chunks.ts';
import type { FlvTag } from './flv-reader.ts';

const VERSION = 3;
const HANDSHAKE_BYTES = 1536;
/** An engine that accepts nothing for this long is gone. */
const SILENT_MS = 20_000;
const CHANNELS = { control: 2, command: 3, media: 4 } as const;
const PING_REQUEST = 6;
const PING_RESPONSE = 7;

export class RtmpConnection {
  readonly closed: Promise<void>;
  readonly #socket: net.Socket;
  readonly #reader = new ChunkReader();
  #handshake: Buffer | undefined = Buffer.alloc(0);
  /** Why it ended; the first reason counts. */
  #reason: string | undefined;
  /** What waits for an answer; one thing at a time. */
  #hear: ((message: RtmpMessage) => void) | undefined;
  #greeted: (() => void) | undefined;

  constructor(socket: net.Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    this.closed = new Promise((resolve) => socket.once('close', () => resolve()));
    socket.on('error', (error: NodeJS.ErrnoException) =>
      this.end(
        error.code === 'ECONNREFUSED' ? 'the engine is unavailable' : 'the connection to the engine broke',
      ),
    );
    socket.on('data', (bytes: Buffer) => this.#take(bytes));
  }

  end(reason: string): void {
    this.#reason ??= reason;
    this.#socket.destroy();
  }

  /** From now on only wait for room. */
  settle(): void {
    this.#socket.setTimeout(SILENT_MS, () => this.end('the engine accepts no more data'));
  }

  async until<T>(what: Promise<T>): Promise<T> {
    what.catch(() => undefined);
    const over = this.closed.then(() => Promise.reject(this.#fault()));
    over.catch(() => undefined);
    return Promise.race([what.catch(() => over), over]);
  }

  async handshake(): Promise<void> {
    const greeted = new Promise<void>((resolve) => {
      this.#greeted = resolve;
    });
    this.#socket.write(Buffer.concat([Buffer.of(VERSION), Buffer.alloc(HANDSHAKE_BYTES)]));
    await this.until(greeted);
    const size = Buffer.alloc(4);
    size.writeUInt32BE(OWN_CHUNK_BYTES);
    this.#write(CHANNELS.control, MESSAGE_TYPES.setChunkSize, 0, size);
  }

  command(stream: number, ...values: readonly AmfValue[]): void {
    this.#write(CHANNELS.command, MESSAGE_TYPES.command, stream, encodeAmf(...values));
  }

  /** The answer to a transaction. */
  result(number: number): Promise<Buffer> {
    return this.#awaited((payload) => {
      const command = readCommand(payload);
      if (command?.number !== number) return undefined;
      if (command.name === '_error') throw new Error('the engine refused the request');
      return command.name === '_result' ? payload : undefined;
    });
  }

  async published(): Promise<void> {
    await this.#awaited((payload) => {
      const text = payload.toString('latin1');
      if (text.includes('NetStream.Publish.Start')) return payload;
      if (text.includes('NetStream.Publish.BadName'))
        throw new Error('the stream is already being published');
      if (text.includes('NetStream.Publish.')) throw new Error('the engine refused the stream');
      return undefined;
    });
  }

  async send({ type, time, payload }: FlvTag, stream: number): Promise<void> {
    if (this.#socket.destroyed) throw this.#fault();
    const isData = type === MESSAGE_TYPES.data;
    const content = isData ? Buffer.concat([encodeAmf('@setDataFrame'), payload]) : payload;
    if (!this.#write(CHANNELS.media, type, stream, content, time))
      await this.until(once(this.#socket, 'drain'));
  }

  #fault(): Error {
    return new Error(this.#reason ?? 'the engine closed the connection');
  }

  #awaited(judge: (payload: Buffer) => Buffer | undefined): Promise<Buffer> {
    return this.until(
      new Promise((resolve, reject) => {
        this.#hear = ({ type, payload }) => {
          if (type !== MESSAGE_TYPES.command) return;
          try {
            const found = judge(payload);
            if (found !== undefined) resolve(found);
          } catch (error) {
            reject(error as Error);
            this.end((error as Error).message);
          }
        };
      }),
    );
  }

  #write(channel: number, type: number, stream: number, payload: Buffer, time = 0): boolean {
    return this.#socket.write(writeMessage({ channel, type, stream, time, payload }));
  }

  #take(bytes: Buffer): void {
    let rest = bytes;
    if (this.#handshake !== undefined) {
      const held = Buffer.concat([this.#handshake, bytes]);
      const wanted = 1 + 2 * HANDSHAKE_BYTES;
      this.#handshake = held.length < wanted ? held : undefined;
      if (this.#handshake !== undefined) return;
      this.#socket.write(held.subarray(1, 1 + HANDSHAKE_BYTES));
      rest = held.subarray(wanted);
      this.#greeted?.();
    }
    try {
      for (const message of this.#reader.add(rest)) this.#heard(message);
    } catch {
      this.end('the engine does not speak RTMP');
    }
  }

  #heard(message: RtmpMessage): void {
    const { type, payload } = message;
    if (type !== MESSAGE_TYPES.userControl) {
      this.#hear?.(message);
      return;
    }
    // The engine drops a publisher that does not answer its pings.
    if (payload.length < 6 || payload.readUInt16BE(0) !== PING_REQUEST) return;
    const answer = Buffer.from(payload.subarray(0, 6));
    answer.writeUInt16BE(PING_RESPONSE);
    this.#write(CHANNELS.control, MESSAGE_TYPES.userControl, 0, answer);
  }
}
