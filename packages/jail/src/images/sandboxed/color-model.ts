/**
 * Qiniu names colour models after the in-memory image types of the Go library that it decodes with. Derived from
 * what the decoder here reports about a file:
 *
 * | file                                     | name                                        |
 * | ---------------------------------------- | ------------------------------------------- |
 * | jpeg, avif, webp without alpha           | ycbcr                                       |
 * | any with four ink channels               | cmyk                                        |
 * | grey without alpha, 8 or 16 bits         | gray, gray16                                |
 * | png, gif with a palette                  | palette and the colours its depth allows    |
 * | other, without alpha, 8 or 16 bits       | rgba, rgba64                                |
 * | any with alpha (grey too), 8 or 16 bits  | nrgba, nrgba64                              |
 *
 * A lossless webp file without alpha is ycbcr here too: the decoder does not tell the two kinds apart.
 */
export interface DecodedShape {
  readonly format: string;
  readonly space: string;
  readonly depth: string;
  readonly hasAlpha: boolean;
  readonly isPalette: boolean;
  readonly bitsPerSample: number | undefined;
}

const LUMINANCE_FORMATS = new Set(['jpeg', 'avif', 'heif', 'webp']);

export function colorModelOf(shape: DecodedShape): string {
  const wide = shape.depth !== 'uchar';
  if (shape.isPalette) return `palette${2 ** (shape.bitsPerSample ?? 8)}`;
  if (shape.space === 'cmyk') return 'cmyk';
  if (shape.hasAlpha) return wide ? 'nrgba64' : 'nrgba';
  if (shape.space === 'b-w' || shape.space === 'grey16') return wide ? 'gray16' : 'gray';
  if (LUMINANCE_FORMATS.has(shape.format)) return 'ycbcr';
  return wide ? 'rgba64' : 'rgba';
}
