/**
 * How the server talks to a jailed image process. Towards it: a line of JSON with what is wanted, then the image in
 * pieces, each after its length (four bytes, little-endian); 0 ends the image, ABANDON drops it. Back: one line of
 * JSON for each image.
 */
export const ABANDON = 0xffffffff;

export interface ImageRequest {
  /** Also the average colour, for which the image must be decoded. */
  readonly average: boolean;
  readonly maxBytes: number;
  readonly maxPixels: number;
  /** For decoding. */
  readonly seconds: number;
}

/** What comes back; what is missing could not be told. */
export interface ImageReply {
  readonly error?: string;
  readonly imageInfo?: unknown;
  readonly exif?: unknown;
  readonly imageAve?: unknown;
}

export interface ReceivedImage {
  readonly request: ImageRequest;
  /** undefined: abandoned, or larger than asked for. */
  readonly image: Uint8Array | undefined;
}

export function pieceHeader(length: number): Uint8Array {
  const header = Buffer.alloc(4);
  header.writeUInt32LE(length);
  return header;
}

/** Reads requests from a byte stream, one after the other. */
export async function* receiveImages(input: AsyncIterable<Uint8Array>): AsyncGenerator<ReceivedImage> {
  const reader = createReader(input);
  for (let line = await reader.line(); line !== undefined; line = await reader.line()) {
    const request = JSON.parse(line) as ImageRequest;
    const pieces: Uint8Array[] = [];
    let bytes = 0;
    let length = await reader.length();
    while (length !== 0 && length !== ABANDON) {
      const piece = await reader.bytes(length);
      bytes += length;
      if (bytes <= request.maxBytes) pieces.push(piece);
      length = await reader.length();
    }
    const whole = length === 0 && bytes <= request.maxBytes;
    yield { request, image: whole ? Buffer.concat(pieces) : undefined };
  }
}

function createReader(input: AsyncIterable<Uint8Array>) {
  const source = input[Symbol.asyncIterator]();
  let buffered: Uint8Array = new Uint8Array();

  async function more(): Promise<boolean> {
    const { done, value } = await source.next();
    if (done) return false;
    buffered = buffered.length === 0 ? value : Buffer.concat([buffered, value]);
    return true;
  }

  async function bytes(count: number): Promise<Uint8Array> {
    while (buffered.length < count) if (!(await more())) throw new Error('the input ended within an image');
    const taken = buffered.subarray(0, count);
    buffered = buffered.subarray(count);
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
