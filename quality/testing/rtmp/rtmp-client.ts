/**
 * A publisher that costs nothing: it shakes hands, connects, publishes, and sends a few bytes now and then. It
 * implements only as much of RTMP as that takes.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Frame } from '../video.ts';

export interface RtmpPublisherOptions {
  /** Sent in one write with the publish request: it has not been accepted yet. */
  readonly early?: readonly Frame[];
  /** Sent after the answer, whatever the answer was. */
  readonly late?: readonly Frame[];
}

export interface RtmpPublisher {
  /** Whether the engine let it in. */
  readonly accepted: boolean;
  /** Resolves when the connection has ended, whichever side ended it. */
  readonly closed: Promise<void>;
  close(): void;
}

const HANDSHAKE = 1536;
const OWN_CHUNK = 65_536;
const KEEP_SENDING_MS = 2_000;
const RESPONSE_TIMEOUT_MS = 20_000;
const TYPES = { setChunkSize: 1, audio: 8, command: 20 } as const;

/** `url`: `rtmp://host:port/app/name?arguments`. Rejects if no engine answers; a refusal is an answer. */
export async function publishRtmp(url: string, options: RtmpPublisherOptions = {}): Promise<RtmpPublisher> {
  const { socket, reader, closed, name, begin } = open(url);
  const timer = setTimeout(() => socket.destroy(), RESPONSE_TIMEOUT_MS);
  try {
    const stream = await begin();
    const wish = command(stream, amf('publish'), amf(3), NULL, amf(name), amf('live'));
    const sent = (frames: readonly Frame[] = []) =>
      frames.map(({ type, time, payload }) => message(4, type, stream, payload, time));
    socket.write(Buffer.concat([wish, ...sent(options.early)]));
    const accepted = await isPublished(reader);
    if (options.late) await written(socket, Buffer.concat(sent(options.late)));
    if (accepted) keepSending(socket, stream);
    // Nothing else it sends matters.
    socket.resume();
    return { accepted, closed, close: () => socket.destroy() };
  } catch (error) {
    socket.destroy();
    if (error instanceof ConnectionEndedError) return { accepted: false, closed, close: () => undefined };
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** Asks to play; returns the types of the messages that the engine sends until it ends the connection. */
export async function playRtmp(url: string): Promise<number[]> {
  const { socket, reader, name, begin } = open(url);
  const timer = setTimeout(() => socket.destroy(), RESPONSE_TIMEOUT_MS);
  const heard: number[] = [];
  try {
    const stream = await begin();
    socket.write(command(stream, amf('play'), amf(3), NULL, amf(name)));
    for (;;) heard.push((await reader.message()).type);
  } catch (error) {
    if (error instanceof ConnectionEndedError) return heard;
    throw error;
  } finally {
    clearTimeout(timer);
    socket.destroy();
  }
}

function open(url: string) {
  const { hostname, port, pathname, search } = new URL(url.replace(/^rtmp:/, 'http:'));
  const [, app = '', ...name] = pathname.split('/');
  const socket = connect(Number(port || 1935), hostname);
  socket.setNoDelay(true);
  socket.on('error', () => undefined);
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  const reader = new Reader(socket);
  /** The number of a newly created stream. */
  const begin = async (): Promise<number> => {
    await Promise.race([once(socket, 'connect'), closed.then(() => Promise.reject(new Error('no engine')))]);
    await shakeHands(socket, reader);
    socket.write(message(2, TYPES.setChunkSize, 0, number32(OWN_CHUNK)));
    const tcUrl = `rtmp://${hostname}:${port}/${app}`;
    socket.write(
      command(0, amf('connect'), amf(1), object({ app, type: 'nonprivate', flashVer: 'test', tcUrl })),
    );
    await answerTo(reader, 1);
    socket.write(command(0, amf('createStream'), amf(2), NULL));
    return (await answerTo(reader, 2)).readDoubleBE(21);
  };
  return { socket, reader, closed, begin, name: `${name.join('/')}${search}` };
}

class ConnectionEndedError extends Error {}

/** Also resolves if the connection ends earlier. */
function written(socket: Socket, bytes: Buffer): Promise<void> {
  return new Promise((resolve) => socket.write(bytes, () => resolve()));
}

async function shakeHands(socket: Socket, reader: Reader): Promise<void> {
  socket.write(Buffer.concat([Buffer.of(3), Buffer.alloc(HANDSHAKE)]));
  const answer = await reader.bytes(1 + 2 * HANDSHAKE);
  socket.write(answer.subarray(1, 1 + HANDSHAKE));
}

/** The payload of `_result` for a transaction; anything else before it is skipped. */
async function answerTo(reader: Reader, transaction: number): Promise<Buffer> {
  for (;;) {
    const { type, payload } = await reader.message();
    if (type !== TYPES.command || payload.toString('latin1', 3, 10) !== '_result') continue;
    if (payload.readDoubleBE(11) === transaction) return payload;
  }
}

async function isPublished(reader: Reader): Promise<boolean> {
  for (;;) {
    const { type, payload } = await reader.message();
    if (type !== TYPES.command) continue;
    const text = payload.toString('latin1');
    if (text.includes('NetStream.Publish.Start')) return true;
    if (text.includes('NetStream.Publish.') || text.includes('_error')) return false;
  }
}

function keepSending(socket: Socket, stream: number): void {
  let time = 0;
  const send = () => {
    time += KEEP_SENDING_MS;
    if (!socket.destroyed)
      socket.write(message(4, TYPES.audio, stream, Buffer.from('af0121004990', 'hex'), time));
  };
  send();
  const timer = setInterval(send, KEEP_SENDING_MS);
  socket.once('close', () => clearInterval(timer));
}

/** Reassembles messages from chunks, whatever their order. */
class Reader {
  readonly #socket: AsyncIterator<Buffer>;
  readonly #headers = new Map<number, { type: number; length: number; parts: Buffer[]; got: number }>();
  #held = Buffer.alloc(0);
  #chunkSize = 128;

  constructor(socket: Socket) {
    this.#socket = socket.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>;
  }

  async bytes(count: number): Promise<Buffer> {
    while (this.#held.length < count) {
      const { value, done } = await this.#socket.next().catch(() => ({ value: undefined, done: true }));
      if (done || value === undefined) throw new ConnectionEndedError('the engine closed the connection');
      this.#held = Buffer.concat([this.#held, value]);
    }
    const taken = this.#held.subarray(0, count);
    this.#held = this.#held.subarray(count);
    return taken;
  }

  async message(): Promise<{ type: number; payload: Buffer }> {
    for (;;) {
      const first = (await this.bytes(1)).readUInt8(0);
      const [form, channel] = [first >> 6, first & 63];
      const head = await this.bytes([11, 7, 3, 0][form] ?? 0);
      const known = this.#headers.get(channel) ?? { type: 0, length: 0, parts: [], got: 0 };
      if (form < 2) [known.length, known.type] = [head.readUIntBE(3, 3), head.readUInt8(6)];
      this.#headers.set(channel, known);
      const piece = await this.bytes(Math.min(this.#chunkSize, known.length - known.got));
      known.parts.push(Buffer.from(piece));
      known.got += piece.length;
      if (known.got < known.length) continue;
      const payload = Buffer.concat(known.parts);
      [known.parts, known.got] = [[], 0];
      if (known.type === TYPES.setChunkSize) this.#chunkSize = payload.readUInt32BE(0);
      else return { type: known.type, payload };
    }
  }
}

const NULL = Buffer.of(5);

function amf(value: string | number): Buffer {
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(9);
    bytes.writeDoubleBE(value, 1);
    return bytes;
  }
  return Buffer.concat([Buffer.of(2), text(value)]);
}

function object(fields: Readonly<Record<string, string>>): Buffer {
  const pairs = Object.entries(fields).flatMap(([name, value]) => [text(name), amf(value)]);
  return Buffer.concat([Buffer.of(3), ...pairs, Buffer.of(0, 0, 9)]);
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

function number32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function command(stream: number, ...values: readonly Buffer[]): Buffer {
  return message(3, TYPES.command, stream, Buffer.concat(values));
}

/** In one chunk: none of ours is longer than the size we announce. */
function message(channel: number, type: number, stream: number, payload: Buffer, time = 0): Buffer {
  const head = Buffer.alloc(12);
  head.writeUInt8(channel, 0);
  head.writeUIntBE(time, 1, 3);
  head.writeUIntBE(payload.length, 4, 3);
  head.writeUInt8(type, 7);
  head.writeUInt32LE(stream, 8);
  return Buffer.concat([head, payload]);
}
