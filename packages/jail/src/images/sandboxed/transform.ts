/** Makes one image from another, following a plan. Runs inside the sandbox. */
import type { ImageFormat, Quality, SizeLimit } from '@millpond/protocol';
import sharp, { type Metadata, type Sharp } from 'sharp';
import { applyOrientation, type Canvas, canvasOf, canvasOfRaster, type Raster, rasterOf } from './canvas.ts';
import { animated, encodeWithin, qualityFor } from './encode.ts';
import { jpegQuality } from './jpeg-quality.ts';
import { metadataKeeper } from './metadata.ts';
import { applyImageMogr2, applyImageView2 } from './operations.ts';
import { ImageRejectedError } from './refusal.ts';
import type { ImagePlan, ImageReply, TransformRequest } from './requests.ts';
import { checkPlan } from './sizes.ts';
import { applyWatermarks } from './watermarks.ts';

const ORIGINAL: ImageReply = { told: { original: true } };

export async function transformImage(
  image: Uint8Array,
  others: readonly Uint8Array[],
  request: TransformRequest,
): Promise<ImageReply> {
  try {
    return await make(image, others, request);
  } catch (error) {
    if (request.plan.ignoreError) return ORIGINAL;
    throw error;
  }
}

const sourceFormats: Readonly<Record<string, ImageFormat>> = {
  jpeg: 'jpg',
  png: 'png',
  webp: 'webp',
  gif: 'gif',
  tiff: 'tiff',
  heif: 'avif',
};

async function make(
  image: Uint8Array,
  others: readonly Uint8Array[],
  request: TransformRequest,
): Promise<ImageReply> {
  const { plan, limits } = request;
  const input = { limitInputPixels: limits.maxPixels };
  const metadata = await sharp(image, input).metadata();
  const { width, height, pages = 1 } = metadata;
  if (width > limits.maxSide || height > limits.maxSide || width * height > limits.maxPixels)
    throw new ImageRejectedError('the image is too large');
  const format = wishes(plan).format ?? sourceFormats[metadata.format];
  if (format === undefined)
    throw new ImageRejectedError(`images of type ${metadata.format} cannot be written`);
  const isMoving = pages > 1 && (metadata.format === 'gif' || metadata.format === 'webp');
  const staysMoving = isMoving && (format === 'gif' || format === 'webp');
  if (staysMoving && pages > limits.frames) return ORIGINAL;
  if (staysMoving && width * height * 4 * pages > limits.frameBytes)
    throw new ImageRejectedError('the animation is too large');
  const frames = staysMoving ? pages : 1;
  const orientation = staysMoving ? 1 : (metadata.orientation ?? 1);
  checkPlan(plan, { width, height, orientation, frames }, limits);
  if (staysMoving) return makeAnimation(image, others, request, metadata, format);
  const keepMetadata =
    plan.command === 'imageMogr2' && !plan.strip ? metadataKeeper(image, metadata) : undefined;
  const opened = canvasOf(sharp(image, input), metadata, limits.seconds);
  const canvas = await change(opened, orientation, others, request);
  // They are lost if several steps needed pixels in between.
  const pipeline = canvas.fresh ? keepMetadata?.(canvas.pipeline) : undefined;
  return finish(image, request, metadata, format, { ...canvas, pipeline: pipeline ?? canvas.pipeline });
}

async function makeAnimation(
  image: Uint8Array,
  others: readonly Uint8Array[],
  request: TransformRequest,
  metadata: Metadata,
  format: ImageFormat,
): Promise<ImageReply> {
  const { limits } = request;
  const all = sharp(image, { animated: true, limitInputPixels: limits.frameBytes / 4 }).ensureAlpha();
  const roll = await rasterOf(canvasOf(all, metadata, limits.seconds));
  const { pages = 1, delay = [], loop = 0 } = metadata;
  const height = roll.height / pages;
  const frameBytes = roll.data.length / pages;
  const frames: Raster[] = [];
  for (let page = 0; page < pages; page++) {
    const data = roll.data.subarray(page * frameBytes, (page + 1) * frameBytes);
    const frame = canvasOfRaster({ ...roll, data, height }, limits.seconds);
    frames.push(await withAlpha(await change(frame, 1, others, request)));
  }
  const [first] = frames;
  if (first === undefined) throw new ImageRejectedError('the animation has no frames');
  const pipeline = animated(frames, { delay, loop }, limits.seconds);
  const size = { width: first.width, height: first.height };
  return finish(image, request, metadata, format, { ...size, pipeline });
}

async function withAlpha(canvas: Canvas): Promise<Raster> {
  return rasterOf({ ...canvas, pipeline: canvas.pipeline.ensureAlpha() });
}

async function change(
  canvas: Canvas,
  orientation: number,
  others: readonly Uint8Array[],
  { plan, limits }: TransformRequest,
): Promise<Canvas> {
  const background = `#${(plan.command === 'imageMogr2' ? plan.background : undefined) ?? 'ffffff'}`;
  const options = { limits, orientation, background };
  switch (plan.command) {
    case 'imageView2':
      return applyImageView2(upright(canvas, orientation), plan, options);
    case 'imageMogr2': {
      const [first, ...rest] = plan.operations;
      // As the first step, the decoder can do it, and shrink while it reads.
      if (first?.operation === 'auto-orient')
        return applyImageMogr2(upright(canvas, orientation), rest, options);
      return applyImageMogr2(canvas, plan.operations, options);
    }
    case 'watermark':
      return applyWatermarks(await applyOrientation(canvas, orientation), plan.marks, others, limits);
  }
}

function upright(canvas: Canvas, orientation: number): Canvas {
  if (orientation <= 1) return canvas;
  const swapped = orientation >= 5;
  const width = swapped ? canvas.height : canvas.width;
  const height = swapped ? canvas.width : canvas.height;
  return { ...canvas, pipeline: canvas.pipeline.autoOrient(), width, height };
}

const DEFAULT: Quality = { value: 75, exact: false };
/** A watermark changes nothing else of an image. */
const MARKED: Quality = { value: 90, exact: true };

interface Wishes {
  readonly format?: ImageFormat | undefined;
  readonly quality?: Quality | undefined;
  readonly interlace?: boolean | undefined;
  readonly colors?: number | undefined;
  readonly sizeLimit?: SizeLimit | undefined;
}

function wishes(plan: ImagePlan): Wishes {
  return plan.command === 'watermark' ? {} : plan;
}

async function finish(
  image: Uint8Array,
  { plan }: TransformRequest,
  source: Metadata,
  format: ImageFormat,
  { pipeline, width, height }: { pipeline: Sharp; width: number; height: number },
): Promise<ImageReply> {
  const { quality: asked, interlace = false, colors, sizeLimit } = wishes(plan);
  const origin = { quality: jpegQuality(image), area: source.width * source.height };
  const quality = qualityFor(format, asked, plan.command === 'watermark' ? MARKED : DEFAULT, {
    source: origin,
    area: width * height,
  });
  const body = await encodeWithin(pipeline, { format, quality, interlace, colors }, sizeLimit, image.length);
  if (sizeLimit?.exact && body.length >= image.length) return ORIGINAL;
  return { told: { format, width, height }, body };
}
