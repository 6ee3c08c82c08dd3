/**
 * An image between operations. sharp applies what it was told in its own order; here an operation that would come too early in
 * that order waits until those before it are done, so that all happen as written.
 */
import type { Area, Size } from '@millpond/protocol';
import sharp, { type Sharp } from 'sharp';

/** Eight bits, sRGB, perhaps with alpha. */
export interface Raster extends Size {
  readonly data: Buffer;
  readonly channels: 3 | 4;
}

export interface Canvas extends Size {
  readonly pipeline: Sharp;
  /** The last step that was added; later steps may follow in the same pass. */
  readonly step: Step;
  /** Only what sharp does in one pass was asked so far: the file's own metadata are still there. */
  readonly fresh: boolean;
  readonly seconds: number;
}

/** In sharp's own order. */
const steps = ['opened', 'resized', 'cut', 'blurred', 'sharpened'] as const;
export type Step = (typeof steps)[number];

export function canvasOf(pipeline: Sharp, size: Size, seconds: number): Canvas {
  const { width, height } = size;
  return { pipeline: pipeline.timeout({ seconds }), width, height, step: 'opened', fresh: true, seconds };
}

export function canvasOfRaster(raster: Raster, seconds: number): Canvas {
  const { width, height, channels } = raster;
  const pipeline = sharp(raster.data, { raw: { width, height, channels }, limitInputPixels: false });
  return { ...canvasOf(pipeline, raster, seconds), fresh: false };
}

/** Runs the pending steps. */
export async function rasterOf({ pipeline }: Canvas): Promise<Raster> {
  const { data, info } = await pipeline
    .toColourspace('srgb')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  if (info.channels === 3 || info.channels === 4)
    return { data, width: info.width, height: info.height, channels: info.channels };
  throw new Error(`unexpected image of ${info.channels} channels`);
}

async function before(canvas: Canvas, step: Step): Promise<Canvas> {
  if (steps.indexOf(canvas.step) < steps.indexOf(step)) return canvas;
  return canvasOfRaster(await rasterOf(canvas), canvas.seconds);
}

export async function resize(canvas: Canvas, { width, height }: Size): Promise<Canvas> {
  if (width === canvas.width && height === canvas.height) return canvas;
  const ready = await before(canvas, 'resized');
  const pipeline = ready.pipeline.resize({ width, height, fit: 'fill' });
  return { ...ready, pipeline, width, height, step: 'resized' };
}

export async function crop(canvas: Canvas, area: Area): Promise<Canvas> {
  if (area.width === canvas.width && area.height === canvas.height) return canvas;
  const ready = await before(canvas, 'cut');
  const pipeline = ready.pipeline.extract(area);
  return { ...ready, pipeline, width: area.width, height: area.height, step: 'cut' };
}

export async function blurCanvas(canvas: Canvas, sigma: number): Promise<Canvas> {
  const ready = await before(canvas, 'blurred');
  return { ...ready, pipeline: ready.pipeline.blur(sigma), step: 'blurred' };
}

export async function sharpenCanvas(canvas: Canvas): Promise<Canvas> {
  const ready = await before(canvas, 'sharpened');
  return { ...ready, pipeline: ready.pipeline.sharpen({ sigma: 1 }), step: 'sharpened' };
}

/** Clockwise. The canvas grows, and only the engine knows exactly how far: so this is done at once. */
export async function rotateCanvas(canvas: Canvas, degrees: number, background: string): Promise<Canvas> {
  const raster = await rasterOf(canvas);
  const { pipeline } = canvasOfRaster(raster, canvas.seconds);
  const done = await rasterOf({ ...canvas, pipeline: pipeline.rotate(degrees, { background }) });
  return canvasOfRaster(done, canvas.seconds);
}

/** By the Exif orientation: 1 is upright. */
export async function applyOrientation(canvas: Canvas, orientation: number): Promise<Canvas> {
  const degrees = [0, 0, 0, 180, 180, 90, 90, 270, 270][orientation] ?? 0;
  const mirrored = [2, 4, 5, 7].includes(orientation);
  if (degrees === 0 && !mirrored) return canvas;
  const upright = degrees === 0 ? canvas : await rotateCanvas(canvas, degrees, '#ffffff');
  if (!mirrored) return upright;
  const { pipeline } = canvasOfRaster(await rasterOf(upright), canvas.seconds);
  return canvasOfRaster(await rasterOf({ ...upright, pipeline: pipeline.flop() }), canvas.seconds);
}
