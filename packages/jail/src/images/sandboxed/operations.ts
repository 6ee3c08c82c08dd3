/** The operations of imageView2 and imageMogr2 on one image, with the sizes that the protocol computes. */
import type { ImageOperation, ImageView2Plan } from '@millpond/protocol';
import { anchored, cropArea, thumbnailSize, viewSize } from '@millpond/protocol/geometry';
import {
  applyOrientation,
  blurCanvas,
  type Canvas,
  crop,
  resize,
  rotateCanvas,
  sharpenCanvas,
} from './canvas.ts';
import { ImageRejectedError } from './refusal.ts';
import type { TransformLimits } from './requests.ts';
import { checkSize } from './sizes.ts';

export interface OperationOptions {
  readonly limits: TransformLimits;
  /** From Exif; 1 if there is none. */
  readonly orientation: number;
  readonly background: string;
}

export async function applyImageView2(
  canvas: Canvas,
  plan: ImageView2Plan,
  options: OperationOptions,
): Promise<Canvas> {
  const size = viewSize(plan.mode, plan.w, plan.h, canvas);
  checkSize(size.crop ?? size.resize, options.limits);
  const resized = await resize(canvas, size.resize);
  if (size.crop === undefined) return resized;
  return crop(resized, { ...size.crop, ...anchored('Center', size.crop, size.resize) });
}

export async function applyImageMogr2(
  canvas: Canvas,
  operations: readonly ImageOperation[],
  options: OperationOptions,
): Promise<Canvas> {
  let result = canvas;
  for (const operation of operations) {
    result = await apply(result, operation, options);
    checkSize(result, options.limits);
  }
  return result;
}

async function apply(canvas: Canvas, step: ImageOperation, options: OperationOptions): Promise<Canvas> {
  switch (step.operation) {
    case 'auto-orient':
      return applyOrientation(canvas, options.orientation);
    case 'thumbnail': {
      const size = thumbnailSize(step.thumbnail, canvas);
      checkSize(size, options.limits);
      return resize(canvas, size);
    }
    case 'crop': {
      const area = cropArea(step.crop, step.gravity, canvas);
      if (area === undefined) throw new ImageRejectedError('crop leaves nothing of the image');
      return crop(canvas, area);
    }
    case 'rotate':
      return rotateCanvas(canvas, step.degrees, options.background);
    case 'blur':
      return blurCanvas(canvas, step.blur.sigma);
    case 'sharpen':
      return sharpenCanvas(canvas);
  }
}
