/**
 * How the server talks to a sandboxed image process. To the process: a line of JSON with the request, then as many images as it
 * says (one by default), each in pieces, each piece preceded by its length (four bytes, little-endian); 0 ends an image,
 * ABANDON drops the request. Back, for each request: a line with two numbers, then that many bytes of JSON and that many bytes
 * of an image.
 */
import type { ImageReply, ImageRequest } from './requests.ts';

export const ABANDON = 0xffffffff;

export interface Received {
  readonly request: ImageRequest;
  /** undefined: abandoned, or larger than asked for. */
  readonly images: readonly Uint8Array[] | undefined;
}

export function pieceHeader(length: number): Uint8Array {
  const header = Buffer.alloc(4);
  header.writeUInt32LE(length);
  return header;
}

function imagesOf(request: ImageRequest): number {
  return request.kind === 'work' ? request.images : 1;
}

/** Reads requests from a byte stream, one after the other. */
export async function* receiveRequests(input: AsyncIterable<Uint8Array>): AsyncGenerator<Received> {
  const reader = createReader(input);
  for (let line = await reader.line(); line !== undefined; line = await reader.line()) {
    const request = JSON.parse(line) as ImageRequest;
    yield { request, images: await receiveImages(reader, request) };
  }
}

async function receiveImages(reader: Reader, request: ImageRequest): Promise<Uint8Array[] | undefined> {
  const images: Uint8Array[] = [];
  let bytes = 0;
  while (images.length < imagesOf(request)) {
    const pieces: Uint8Array[] = [];
    for (let length = await reader.length(); length !== 0; length = await reader.length()) {
      if (length === ABANDON) return undefined;
      const piece = await reader.bytes(length);
      bytes += length;
      if (bytes <= request.maxBytes) pieces.push(piece);
    }
    const [piece = new Uint8Array(), ...more] = pieces;
    images.push(more.length === 0 ? piece : Buffer.concat(pieces));
  }
  return bytes <= request.maxBytes ? images : undefined;
}

/** Frees memory that is not shared. Left to itself, the garbage collector would run far too often. */
export function free({ buffer, byteLength }: Uint8Array): void {
  if (byteLength === buffer.byteLength && buffer instanceof ArrayBuffer) buffer.transfer(0);
}

export function* replyFrames({ told, body = new Uint8Array() }: ImageReply): Generator<Uint8Array> {
  const json = Buffer.from(JSON.stringify(told));
  yield Buffer.from(`${json.length} ${body.length}\n`);
  yield json;
  if (body.length > 0) yield body;
}

type Reader = ReturnType<typeof createReader>;

function createReader(input: AsyncIterable<Uint8Array>) {
  const source = input[Symbol.asyncIterator]();
  let buffered: Uint8Array = new Uint8Array();

  async function more(): Promise<boolean> {
    const { done, value } = await source.next();
    if (done) return false;
    buffered = buffered.length === 0 ? value : Buffer.concat([buffered, value]);
    return true;
  }

  /** Copied once, into separate memory: a large piece arrives in many chunks. */
  async function bytes(count: number): Promise<Uint8Array> {
    const taken = Buffer.allocUnsafeSlow(count);
    let at = 0;
    while (at < count) {
      if (buffered.length === 0 && !(await more())) throw new Error('the input ended within an image');
      const part = buffered.subarray(0, count - at);
      taken.set(part, at);
      at += part.length;
      const rest = buffered.subarray(part.length);
      if (rest.length === 0) free(buffered);
      buffered = rest.length === 0 ? new Uint8Array() : rest;
    }
    return taken;
  }

  return {
    bytes,
    length: async () => Buffer.from(await bytes(4)).readUInt32LE(),
    async line(): Promise<string | undefined> {
      while (!buffered.includes(10)) if (!(await more())) return undefined;
      const line = await bytes(buffered.indexOf(10) + 1);
      return Buffer.from(line).toString('utf8');
    },
  };
}
