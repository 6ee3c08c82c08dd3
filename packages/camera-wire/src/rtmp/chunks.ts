/** RTMP messages in chunks: written whole, and reassembled within bounds. */
import { ByteQueue } from '@millpond/base';

export const MESSAGE_TYPES = {
  setChunkSize: 1,
  userControl: 4,
  audio: 8,
  video: 9,
  data: 18,
  command: 20,
} as const;

export interface RtmpMessage {
  readonly type: number;
  readonly payload: Buffer;
}

export interface OutgoingMessage extends RtmpMessage {
  /** The chunk stream; messages on one channel keep their order. */
  readonly channel: number;
  readonly stream: number;
  /** Milliseconds. */
  readonly time: number;
}

export const OWN_CHUNK_BYTES = 4096;
const FIRST_CHUNK_BYTES = 128;
/** Replaces a time that does not fit in the field: the time then follows, in every chunk of the message. */
const EXTENDED = 0xffffff;
/** Answers to a publisher are short. */
const MAX_MESSAGE_BYTES = 256 * 1024;
const MAX_CHANNELS = 64;

/** `chunkBytes`: the size last announced to the peer. */
export function writeMessage(message: OutgoingMessage, chunkBytes = OWN_CHUNK_BYTES): Buffer {
  const { channel, type, stream, time, payload } = message;
  const isExtended = time >= EXTENDED;
  const extension = Buffer.alloc(isExtended ? 4 : 0);
  if (isExtended) extension.writeUInt32BE(time % 2 ** 32);
  const head = Buffer.alloc(12);
  head.writeUInt8(channel, 0);
  head.writeUIntBE(isExtended ? EXTENDED : time, 1, 3);
  head.writeUIntBE(payload.length, 4, 3);
  head.writeUInt8(type, 7);
  head.writeUInt32LE(stream, 8);
  const pieces = [head, extension, payload.subarray(0, chunkBytes)];
  const next = Buffer.of(0xc0 | channel);
  for (let at = chunkBytes; at < payload.length; at += chunkBytes)
    pieces.push(next, extension, payload.subarray(at, at + chunkBytes));
  return Buffer.concat(pieces);
}

interface Channel {
  type: number;
  length: number;
  isExtended: boolean;
  parts: Buffer[];
  got: number;
}

const HEAD_BYTES = [11, 7, 3, 0] as const;

export class ChunkReader {
  readonly #channels = new Map<number, Channel>();
  readonly #held = new ByteQueue();
  #chunkBytes = FIRST_CHUNK_BYTES;

  /** The messages that are now complete. Throws on input that no engine would write. */
  add(bytes: Buffer): RtmpMessage[] {
    this.#held.add(bytes);
    const whole: RtmpMessage[] = [];
    for (let used = this.#next(whole); used > 0; used = this.#next(whole)) this.#held.drop(used);
    this.#held.settle();
    return whole;
  }

  /** The length of the chunk at the front; 0: it is incomplete. */
  #next(whole: RtmpMessage[]): number {
    const { bytes } = this.#held;
    if (bytes.length < 1) return 0;
    const first = bytes.readUInt8(0);
    const [form, id] = [first >> 6, first & 0x3f];
    if (id < 2) throw new Error('the engine uses an unsupported chunk stream id');
    const headBytes = HEAD_BYTES[form] ?? 0;
    if (bytes.length < 1 + headBytes) return 0;
    const known = this.#channels.get(id) ?? { type: 0, length: 0, isExtended: false, parts: [], got: 0 };
    const length = form < 2 ? bytes.readUIntBE(4, 3) : known.length;
    const type = form < 2 ? bytes.readUInt8(7) : known.type;
    const isExtended = form < 3 ? bytes.readUIntBE(1, 3) === EXTENDED : known.isExtended;
    if (length > MAX_MESSAGE_BYTES) throw new Error('the engine sent too large a message');
    const begin = 1 + headBytes + (isExtended ? 4 : 0);
    const size = Math.min(this.#chunkBytes, length - (form < 3 ? 0 : known.got));
    if (bytes.length < begin + size) return 0;
    // A chunk with its own header begins a message.
    if (form < 3) [known.parts, known.got] = [[], 0];
    [known.type, known.length, known.isExtended] = [type, length, isExtended];
    this.#channels.set(id, known);
    if (this.#channels.size > MAX_CHANNELS) throw new Error('the engine uses too many chunk streams');
    known.parts.push(Buffer.from(bytes.subarray(begin, begin + size)));
    known.got += size;
    if (known.got >= length) whole.push(this.#finish(known));
    return begin + size;
  }

  #finish(channel: Channel): RtmpMessage {
    const message = { type: channel.type, payload: Buffer.concat(channel.parts) };
    [channel.parts, channel.got] = [[], 0];
    if (message.type === MESSAGE_TYPES.setChunkSize && message.payload.length >= 4)
      this.#chunkBytes = Math.min(
        Math.max(1, message.payload.readUInt32BE(0) & 0x7fffffff),
        MAX_MESSAGE_BYTES,
      );
    return message;
  }
}
