/** A program stream as cameras of GB/T 28181 write it: with a map of its streams, and sound as G.711. */

const CLOCK = 90_000;

export interface CameraVideo {
  /** H.264 or H.265 as plain bytes, a frame each, and how many there are in a second. */
  readonly frames: readonly Buffer[];
  readonly rate: number;
  /** G.711 A-law, 8000 bytes a second. */
  readonly sound: Buffer;
}

export function cameraStream({ frames, rate, sound }: CameraVideo): Buffer {
  const perFrame = Math.floor(8000 / rate);
  return Buffer.concat(
    frames.flatMap((frame, number) => {
      const time = CLOCK + Math.floor((number * CLOCK) / rate);
      const heard = sound.subarray(number * perFrame, (number + 1) * perFrame);
      return [
        pack(time),
        // Where a key frame begins, so that late joiners can read the stream.
        ...(number % rate === 0 ? [streamMap()] : []),
        ...pieces(frame, 60_000).map((piece, at) => packet(0xe0, piece, at === 0 ? time : undefined)),
        ...(heard.length === 0 ? [] : [packet(0xc0, heard, time)]),
      ];
    }),
  );
}

/** Frames of a plain stream, each starting at its own delimiter. */
export function framesOf(stream: Buffer): Buffer[] {
  const delimiter = Buffer.from('0000000109', 'hex');
  const starts: number[] = [];
  for (let at = stream.indexOf(delimiter); at >= 0; at = stream.indexOf(delimiter, at + 1)) starts.push(at);
  return starts.map((start, index) => stream.subarray(start, starts[index + 1] ?? stream.length));
}

function pieces(bytes: Buffer, size: number): Buffer[] {
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
    bytes.subarray(at * size, (at + 1) * size),
  );
}

function pack(time: number): Buffer {
  const bytes = Buffer.from('000001ba44000400040100895ff8', 'hex');
  const clock = BigInt(time);
  const head =
    (1n << 46n) |
    (((clock >> 30n) & 7n) << 43n) |
    (1n << 42n) |
    (((clock >> 15n) & 0x7fffn) << 27n) |
    (1n << 26n) |
    ((clock & 0x7fffn) << 11n) |
    (1n << 10n) |
    1n;
  bytes.writeUIntBE(Number(head), 4, 6);
  return bytes;
}

function streamMap(): Buffer {
  const body = Buffer.from('e0ff000000081be0000090c0000000000000', 'hex');
  const head = Buffer.from('000001bc0000', 'hex');
  head.writeUInt16BE(body.length, 4);
  return Buffer.concat([head, body]);
}

function packet(id: number, payload: Buffer, time: number | undefined): Buffer {
  const stamp = time === undefined ? Buffer.alloc(0) : stampOf(time);
  const head = Buffer.from([0, 0, 1, id, 0, 0, 0x80, time === undefined ? 0 : 0x80, stamp.length]);
  head.writeUInt16BE(payload.length + 3 + stamp.length, 4);
  return Buffer.concat([head, stamp, payload]);
}

function stampOf(time: number): Buffer {
  const bytes = Buffer.alloc(5);
  bytes.writeUInt8(0x21 | (Math.floor(time / 2 ** 30) << 1), 0);
  bytes.writeUInt16BE((((time >> 15) & 0x7fff) << 1) | 1, 1);
  bytes.writeUInt16BE(((time & 0x7fff) << 1) | 1, 3);
  return bytes;
}
