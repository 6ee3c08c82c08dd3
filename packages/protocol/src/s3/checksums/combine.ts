/**
 * The CRC of bytes from the CRCs of their parts, without reading them: that of A then B is that of A multiplied by
 * x^(8·length of B), plus that of B, all modulo the polynomial. One multiplication a part, since parts are mostly of
 * one size, and the power is kept.
 *
 * Polynomials are in pairs of 32 bits, reflected: the highest bit of `high` is x⁰. Those of 32 bits use `high` alone.
 */
import { decodeChecksum, encodeChecksum } from './algorithms.ts';

export type CrcAlgorithm = 'CRC32' | 'CRC32C' | 'CRC64NVME';

interface Pair {
  readonly high: number;
  readonly low: number;
}

const polynomials: Readonly<Record<CrcAlgorithm, Pair & { readonly bits: 32 | 64 }>> = {
  CRC32: { bits: 32, high: 0xedb88320, low: 0 },
  CRC32C: { bits: 32, high: 0x82f63b78, low: 0 },
  CRC64NVME: { bits: 64, high: 0x9a6c9329, low: 0xac4bc9b5 },
};

const ONE: Pair = { high: 1 << 31, low: 0 };

export interface CrcPart {
  /** As it is written in answers. */
  readonly value: string;
  readonly size: number;
}

/** Undefined if a value is not one of that algorithm. */
export function combineCrcs(algorithm: CrcAlgorithm, parts: readonly CrcPart[]): string | undefined {
  const powers = new Map<number, Pair>();
  let whole: Pair = { high: 0, low: 0 };
  for (const { value, size } of parts) {
    const bytes = decodeChecksum(algorithm, value);
    if (bytes === undefined) return undefined;
    let power = powers.get(size);
    if (power === undefined) {
      power = powerOf(algorithm, size);
      powers.set(size, power);
    }
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const shifted = multiply(algorithm, whole, power);
    whole = {
      high: shifted.high ^ view.getInt32(0),
      low: shifted.low ^ (bytes.length > 4 ? view.getInt32(4) : 0),
    };
  }
  const bytes = new Uint8Array(polynomials[algorithm].bits / 8);
  const view = new DataView(bytes.buffer);
  view.setInt32(0, whole.high);
  if (bytes.length > 4) view.setInt32(4, whole.low);
  return encodeChecksum(bytes);
}

/** x^(8·size). */
function powerOf(algorithm: CrcAlgorithm, size: number): Pair {
  let power = ONE;
  // x^8, x^16, x^32, …
  let square: Pair = { high: 1 << 23, low: 0 };
  for (let left = size; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) power = multiply(algorithm, power, square);
    square = multiply(algorithm, square, square);
  }
  return power;
}

function multiply(algorithm: CrcAlgorithm, a: Pair, b: Pair): Pair {
  const polynomial = polynomials[algorithm];
  let { high, low } = b;
  let productHigh = 0;
  let productLow = 0;
  for (let bit = 0; bit < polynomial.bits; bit++) {
    if ((bit < 32 ? a.high : a.low) << (bit & 31) < 0) {
      productHigh ^= high;
      productLow ^= low;
    }
    const lost = polynomial.bits === 32 ? high & 1 : low & 1;
    low = polynomial.bits === 32 ? 0 : (low >>> 1) | (high << 31);
    high >>>= 1;
    if (lost) {
      high ^= polynomial.high;
      low ^= polynomial.low;
    }
  }
  return { high: productHigh, low: productLow };
}
