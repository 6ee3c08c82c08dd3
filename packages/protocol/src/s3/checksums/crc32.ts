/** CRC-32, which comes with zlib, and CRC-32C (Castagnoli), which does not: ours looks up sixteen bytes at a time. */
import type { Hasher } from '../../hashing.ts';
import type { S3Hashing } from '../hashing.ts';

const CASTAGNOLI = 0x82f63b78;
const SLICES = 16;
/** Entries per table. */
const SIZE = 256;

/** Table `p` has what a byte contributes once `p` zero bytes have followed it. */
function makeTable(polynomial: number): Int32Array {
  const table = new Int32Array(SLICES * SIZE);
  for (let byte = 0; byte < SIZE; byte++) {
    let crc = byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ polynomial : crc >>> 1;
    table[byte] = crc;
  }
  for (let index = SIZE; index < table.length; index++) {
    const crc = table[index - SIZE] as number;
    table[index] = (crc >>> 8) ^ (table[crc & 0xff] as number);
  }
  return table;
}

let castagnoli: Int32Array | undefined;

/** `crc` is that of the bytes before, 0 at the start; so is what is returned. */
function crc32c(bytes: Uint8Array, crc: number): number {
  castagnoli ??= makeTable(CASTAGNOLI);
  const table = castagnoli;
  const at = (index: number) => table[index] as number;
  const four = (word: number, place: number) =>
    at(place + (word & 0xff)) ^
    at(place - SIZE + ((word >>> 8) & 0xff)) ^
    at(place - 2 * SIZE + ((word >>> 16) & 0xff)) ^
    at(place - 3 * SIZE + (word >>> 24));
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let running = ~crc;
  let done = 0;
  for (const end = bytes.length - 15; done < end; done += 16) {
    running =
      four(view.getInt32(done, true) ^ running, 15 * SIZE) ^
      four(view.getInt32(done + 4, true), 11 * SIZE) ^
      four(view.getInt32(done + 8, true), 7 * SIZE) ^
      four(view.getInt32(done + 12, true), 3 * SIZE);
  }
  for (; done < bytes.length; done++) running = (running >>> 8) ^ at((running ^ (bytes[done] ?? 0)) & 0xff);
  return ~running >>> 0;
}

export function createCrc32c(): Hasher {
  return hasher(crc32c);
}

export function createCrc32({ crc32 }: Pick<S3Hashing, 'crc32'>): Hasher {
  return hasher(crc32);
}

function hasher(crcOf: (bytes: Uint8Array, crc: number) => number): Hasher {
  let crc = 0;
  return {
    update(bytes) {
      crc = crcOf(bytes, crc);
    },
    digest() {
      const bytes = new Uint8Array(4);
      new DataView(bytes.buffer).setUint32(0, crc);
      return bytes;
    },
  };
}
