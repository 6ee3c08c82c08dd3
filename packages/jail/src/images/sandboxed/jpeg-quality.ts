/**
 * The quality at which a jpeg was written, from its first quantisation table: the encoders that matter scale one and the same
 * table by the quality. undefined: not a jpeg, or a custom table.
 */
const LUMINANCE = [
  16, 11, 12, 14, 12, 10, 16, 14, 13, 14, 18, 17, 16, 19, 24, 40, 26, 24, 22, 22, 24, 49, 35, 37, 29, 40, 58,
  51, 61, 60, 57, 51, 56, 55, 64, 72, 92, 78, 64, 68, 87, 69, 55, 56, 80, 109, 81, 87, 95, 98, 103, 104, 103,
  62, 77, 113, 121, 112, 100, 120, 92, 101, 103, 99,
];
const LUMINANCE_SUM = LUMINANCE.reduce((sum, divisor) => sum + divisor, 0);

export function jpegQuality(image: Uint8Array): number | undefined {
  if (image[0] !== 0xff || image[1] !== 0xd8) return undefined;
  let at = 2;
  for (let markers = 0; markers < 64 && at + 4 <= image.length; markers++) {
    if (image[at] !== 0xff) return undefined;
    const marker = image[at + 1];
    const length = ((image[at + 2] ?? 0) << 8) | (image[at + 3] ?? 0);
    if (marker === 0xdb) return qualityOfTable(image.subarray(at + 4, at + 2 + length));
    if (marker === 0xda || length < 2) return undefined;
    at += 2 + length;
  }
  return undefined;
}

function qualityOfTable(table: Uint8Array): number | undefined {
  const wide = (table[0] ?? 0) >> 4 === 1;
  const divisors = table.subarray(1, wide ? 129 : 65);
  if (divisors.length !== (wide ? 128 : 64)) return undefined;
  let sum = 0;
  for (const [index, byte] of divisors.entries()) sum += wide && index % 2 === 0 ? byte * 256 : byte;
  const scale = (sum * 100) / LUMINANCE_SUM;
  const quality = scale <= 100 ? (200 - scale) / 2 : 5000 / scale;
  return Math.min(100, Math.max(1, Math.round(quality)));
}
