/**
 * Writes a zip archive as a stream, in constant memory: sizes and checksums follow each file's bytes. Archives and files beyond
 * 4 GiB, and more than 65,535 files, are written in the wider form (zip64). Names are UTF-8.
 *
 * yazl could do the same, but it computes the checksum in JavaScript, so that the archive of a video, whose bytes are only
 * stored, costs four times the CPU time.
 */
import { once } from 'node:events';
import { constants, crc32, createDeflateRaw } from 'node:zlib';
import { essenceOf } from '@millpond/protocol';

export interface ZipContent {
  readonly size: number;
  /** Delivers all of it, piece by piece. */
  each(take: (piece: Uint8Array) => Promise<void>): Promise<void>;
}

export interface ZipWriter {
  add(name: string, content: ZipContent, method: 'store' | 'deflate'): Promise<void>;
  /** Writes the index; returns the size of the archive. */
  finish(): Promise<number>;
}

interface Entry {
  readonly name: Buffer;
  readonly method: number;
  readonly crc: number;
  readonly packed: number;
  readonly size: number;
  readonly offset: number;
  readonly wide: boolean;
}

const NARROW = 0xffffffff;
const NARROW_COUNT = 0xffff;
/** Compression can make a file a little larger: near the limit the wide form is safe. */
const WIDE_FROM = 0xf0000000;
const FLAGS = 0x0808;
/** 1 January 1980, midnight: the same files always give the same archive. */
const DATE = 0x0021;
const METHODS = { store: 0, deflate: 8 } as const;

/** Compressing these again gains nothing. */
const PACKED =
  /^(?:image\/(?!bmp|tiff|svg)|video\/|audio\/(?!wav|aiff)|application\/(?:zip|gzip|x-7z|x-rar|x-xz))/;

export function isPackedType(type: string): boolean {
  return PACKED.test(essenceOf(type));
}

export function createZipWriter(write: (bytes: Uint8Array) => Promise<void>): ZipWriter {
  const entries: Entry[] = [];
  let at = 0;

  async function put(bytes: Uint8Array): Promise<void> {
    at += bytes.length;
    await write(bytes);
  }

  return {
    async add(name, content, method) {
      const entry = {
        name: Buffer.from(name, 'utf8'),
        method: METHODS[method],
        offset: at,
        wide: content.size >= WIDE_FROM,
      };
      await put(localHead(entry));
      const start = at;
      let crc = 0;
      let size = 0;
      const count = (piece: Uint8Array): void => {
        crc = crc32(piece, crc);
        size += piece.length;
      };
      if (method === 'store')
        await content.each(async (piece) => {
          count(piece);
          await put(piece);
        });
      else await deflate(content, count, put);
      const done = { ...entry, crc, size, packed: at - start };
      await put(descriptor(done));
      entries.push(done);
    },
    async finish() {
      const start = at;
      for (const entry of entries) await put(indexEntry(entry));
      await put(ending(entries.length, start, at - start));
      return at;
    },
  };
}

async function deflate(
  content: ZipContent,
  count: (piece: Uint8Array) => void,
  put: (bytes: Uint8Array) => Promise<void>,
): Promise<void> {
  const packer = createDeflateRaw({ level: constants.Z_DEFAULT_COMPRESSION });
  const written = (async () => {
    for await (const piece of packer) await put(piece as Buffer);
  })();
  // The await below sees the error; until then it must not count as unhandled.
  written.catch(() => undefined);
  try {
    await content.each(async (piece) => {
      count(piece);
      if (!packer.write(piece)) await Promise.race([once(packer, 'drain'), written]);
    });
    packer.end();
  } catch (error) {
    packer.destroy();
    throw error;
  }
  await written;
}

function numbers(...parts: readonly (readonly [bytes: 2 | 4 | 8, value: number])[]): Buffer {
  const buffer = Buffer.alloc(parts.reduce((sum, [bytes]) => sum + bytes, 0));
  let at = 0;
  for (const [bytes, value] of parts) {
    if (bytes === 2) buffer.writeUInt16LE(value, at);
    else if (bytes === 4) buffer.writeUInt32LE(value, at);
    else buffer.writeBigUInt64LE(BigInt(value), at);
    at += bytes;
  }
  return buffer;
}

function localHead({ name, method, wide }: Pick<Entry, 'name' | 'method' | 'wide'>): Buffer {
  const extra = wide ? numbers([2, 1], [2, 16], [8, 0], [8, 0]) : Buffer.alloc(0);
  const sizes = wide ? NARROW : 0;
  return Buffer.concat([
    numbers([4, 0x04034b50], [2, wide ? 45 : 20], [2, FLAGS], [2, method], [2, 0], [2, DATE]),
    numbers([4, 0], [4, sizes], [4, sizes], [2, name.length], [2, extra.length]),
    name,
    extra,
  ]);
}

function descriptor({ crc, packed, size, wide }: Entry): Buffer {
  const bytes = wide ? 8 : 4;
  return numbers([4, 0x08074b50], [4, crc], [bytes, packed], [bytes, size]);
}

function indexEntry({ name, method, crc, packed, size, offset, wide }: Entry): Buffer {
  const far = offset >= NARROW;
  const values = [...(wide ? [size, packed] : []), ...(far ? [offset] : [])];
  const extra =
    values.length === 0
      ? Buffer.alloc(0)
      : numbers([2, 1], [2, 8 * values.length], ...values.map((value) => [8, value] as const));
  const version = wide || far ? 45 : 20;
  return Buffer.concat([
    numbers([4, 0x02014b50], [2, version], [2, version], [2, FLAGS], [2, method]),
    numbers([2, 0], [2, DATE], [4, crc]),
    numbers([4, wide ? NARROW : packed], [4, wide ? NARROW : size], [2, name.length], [2, extra.length]),
    numbers([2, 0], [2, 0], [2, 0], [4, 0], [4, far ? NARROW : offset]),
    name,
    extra,
  ]);
}

function ending(count: number, start: number, length: number): Buffer {
  const wide = count >= NARROW_COUNT || start >= NARROW || length >= NARROW;
  const shown = wide ? NARROW_COUNT : count;
  const end = Buffer.concat([
    numbers([4, 0x06054b50], [2, 0], [2, 0], [2, shown], [2, shown]),
    numbers([4, wide ? NARROW : length], [4, wide ? NARROW : start], [2, 0]),
  ]);
  if (!wide) return end;
  return Buffer.concat([
    numbers([4, 0x06064b50], [8, 44], [2, 45], [2, 45], [4, 0], [4, 0]),
    numbers([8, count], [8, count], [8, length], [8, start]),
    numbers([4, 0x07064b50], [4, 0], [8, start + length], [4, 1]),
    end,
  ]);
}
