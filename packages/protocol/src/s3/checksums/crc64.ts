/**
 * CRC-64/NVME in two halves of 32 bits, eight bytes looked up at a time. One flat table, both halves of an entry side by
 * side: twice as fast as a table for each.
 */
import type { Hasher } from '../../hashing.ts';

const HIGH = 0x9a6c9329;
const LOW = 0xac4bc9b5;
const SLICES = 8;
/** Int32s per table: 256 entries × 2 halves. */
const SIZE = 512;

/** Table `p` has what a byte contributes once `p` zero bytes have followed it. */
function makeTable(): Int32Array {
  const table = new Int32Array(SLICES * SIZE);
  const at = (index: number) => table[index] as number;
  for (let byte = 0; byte < 256; byte++) {
    let high = 0;
    let low = byte;
    for (let bit = 0; bit < 8; bit++) {
      const odd = low & 1;
      low = (low >>> 1) | (high << 31);
      high >>>= 1;
      if (odd) {
        high ^= HIGH;
        low ^= LOW;
      }
    }
    table.set([high, low], 2 * byte);
  }
  for (let index = SIZE; index < table.length; index += 2) {
    const high = at(index - SIZE);
    const low = at(index - SIZE + 1);
    const next = 2 * (low & 0xff);
    table.set([(high >>> 8) ^ at(next), ((low >>> 8) | (high << 24)) ^ at(next + 1)], index);
  }
  return table;
}

let made: Int32Array | undefined;

/** Its digest is eight bytes. */
export function createCrc64(): Hasher {
  made ??= makeTable();
  const table = made;
  const state = Int32Array.of(-1, -1);
  return {
    update(bytes) {
      advance(table, state, bytes);
    },
    digest() {
      const bytes = new Uint8Array(8);
      const view = new DataView(bytes.buffer);
      view.setInt32(0, ~(state[0] ?? 0));
      view.setInt32(4, ~(state[1] ?? 0));
      return bytes;
    },
  };
}

/** A function of its own, with nothing to reach for outside: the engine compiles it to twice the speed. */
function advance(table: Int32Array, state: Int32Array, bytes: Uint8Array): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let high = state[0] as number;
  let low = state[1] as number;
  let done = 0;
  const at = (index: number) => table[index] as number;
  for (const end = bytes.length - 8; done <= end; done += 8) {
    const a = view.getInt32(done, true) ^ low;
    const b = view.getInt32(done + 4, true) ^ high;
    // Twice each byte, in the table of its place.
    const i7 = 7 * SIZE + ((a & 255) << 1);
    const i6 = 6 * SIZE + ((a >>> 7) & 510);
    const i5 = 5 * SIZE + ((a >>> 15) & 510);
    const i4 = 4 * SIZE + ((a >>> 23) & 510);
    const i3 = 3 * SIZE + ((b & 255) << 1);
    const i2 = 2 * SIZE + ((b >>> 7) & 510);
    const i1 = SIZE + ((b >>> 15) & 510);
    const i0 = (b >>> 23) & 510;
    high = at(i7) ^ at(i6) ^ at(i5) ^ at(i4) ^ at(i3) ^ at(i2) ^ at(i1) ^ at(i0);
    low =
      at(i7 + 1) ^ at(i6 + 1) ^ at(i5 + 1) ^ at(i4 + 1) ^ at(i3 + 1) ^ at(i2 + 1) ^ at(i1 + 1) ^ at(i0 + 1);
  }
  for (; done < bytes.length; done++) {
    const index = 2 * ((low ^ (bytes[done] ?? 0)) & 0xff);
    low = ((low >>> 8) | (high << 24)) ^ (table[index + 1] as number);
    high = (high >>> 8) ^ (table[index] as number);
  }
  state[0] = high;
  state[1] = low;
}
