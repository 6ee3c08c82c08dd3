/** An image as a file: format, quality, colours, and the limit on its size. */
import type { ImageFormat, Quality, SizeLimit } from '@millpond/protocol';
import sharp, { type Sharp } from 'sharp';
import type { Raster } from './canvas.ts';

export interface EncodeOptions {
  readonly format: ImageFormat;
  readonly quality: number;
  readonly interlace: boolean;
  readonly colors: number | undefined;
}

export interface Animation {
  readonly delay: readonly number[];
  readonly loop: number;
}

const WORST_QUALITY = 5;
const LOSSY: ReadonlySet<ImageFormat> = new Set(['jpg', 'webp', 'avif']);

/** The quality of these formats at which an image looks as it does as a jpeg of quality 75. Others share the jpeg's scale. */
const LIKE_JPEG_75: Partial<Record<ImageFormat, number>> = { avif: 52 };

interface Origin {
  readonly source: { readonly quality: number | undefined; readonly area: number };
  /** Area of the result. */
  readonly area: number;
}

/** A quality that somebody chose is the encoder's own. `usual`, as of a jpeg, is for what nobody chose. */
export function qualityFor(
  format: ImageFormat,
  chosen: Quality | undefined,
  usual: Quality,
  origin: Origin,
): number {
  if (chosen !== undefined) return notAbove(chosen, origin);
  return Math.max(1, Math.round((notAbove(usual, origin) * (LIKE_JPEG_75[format] ?? 75)) / 75));
}

/** No better than the source, since that only makes the file larger; unless it is asked for exactly. */
function notAbove({ value, exact }: Quality, { source, area }: Origin): number {
  if (exact || source.quality === undefined || source.quality > 90) return value;
  const ratio = Math.sqrt(source.area / Math.max(1, area));
  return Math.max(1, Math.min(value, Math.floor(Math.min(90, source.quality * ratio))));
}

function encode(pipeline: Sharp, options: EncodeOptions): Promise<Buffer> {
  const { format, quality, interlace: progressive, colors } = options;
  switch (format) {
    case 'jpg':
      return pipeline.flatten({ background: '#ffffff' }).jpeg({ quality, progressive }).toBuffer();
    case 'png': {
      const palette = colors === undefined ? {} : { palette: true, colours: colors };
      return pipeline.png({ progressive, ...palette }).toBuffer();
    }
    case 'webp':
      return pipeline.webp({ quality }).toBuffer();
    case 'gif':
      return pipeline.gif(colors === undefined ? {} : { colours: colors }).toBuffer();
    case 'avif':
      return pipeline.avif({ quality, effort: 2 }).toBuffer();
    case 'tiff':
      return pipeline.tiff({ compression: 'deflate' }).toBuffer();
  }
}

/** Meets the limit with a lower quality, if one does; otherwise the smallest result found. */
export async function encodeWithin(
  pipeline: Sharp,
  options: EncodeOptions,
  limit: SizeLimit | undefined,
  sourceBytes: number,
): Promise<Buffer> {
  const first = await encode(pipeline.clone(), options);
  const most = limit === undefined ? Number.POSITIVE_INFINITY : (limit.bytes ?? sourceBytes);
  if (first.length <= most || !LOSSY.has(options.format)) return first;
  let best = first;
  let low = WORST_QUALITY;
  let high = options.quality - 1;
  while (low <= high) {
    const quality = Math.floor((low + high) / 2);
    const tried = await encode(pipeline.clone(), { ...options, quality });
    if (tried.length <= most) {
      best = tried;
      low = quality + 1;
    } else {
      if (tried.length < best.length) best = tried;
      high = quality - 1;
    }
  }
  return best;
}

/** Frames of one size, stacked vertically, as the encoders want them. */
export function animated(frames: readonly Raster[], { delay, loop }: Animation, seconds: number): Sharp {
  const [{ width, height, channels } = { width: 1, height: 1, channels: 4 as const }] = frames;
  return sharp(Buffer.concat(frames.map(({ data }) => data)), {
    raw: { width, height: height * frames.length, channels, pageHeight: height },
    limitInputPixels: false,
  })
    .timeout({ seconds })
    .gif({ delay: [...delay], loop })
    .webp({ delay: [...delay], loop });
}
