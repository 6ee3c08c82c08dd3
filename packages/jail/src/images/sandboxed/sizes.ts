/**
 * The sizes that a plan leads to, from the size of its source. Judged before a pixel is decoded: what the limits forbid must cost no
 * more than the head of a file, and 14 KB of it can be an image of 121 megapixels.
 */
import type { ImageOperation, Size } from '@millpond/protocol';
import { cropArea, rotatedSize, thumbnailSize, viewSize } from '@millpond/protocol/geometry';
import { ImageRejectedError } from './refusal.ts';
import type { ImagePlan, TransformLimits } from './requests.ts';

export interface SourceSize extends Size {
  /** From Exif; 1 if there is none. */
  readonly orientation: number;
  /** Number of frames of an animation that stays one; otherwise 1. */
  readonly frames: number;
}

/** Throws if the image would be too large at any step. */
export function checkPlan(plan: ImagePlan, source: SourceSize, limits: TransformLimits): void {
  for (const size of sizesOf(plan, source)) {
    checkSize(size, limits);
    // Each frame has four bytes a pixel, and all are held at once.
    if (source.frames > 1 && size.width * size.height * 4 * source.frames > limits.frameBytes)
      throw new ImageRejectedError('the animation would be too large');
  }
}

export function checkSize({ width, height }: Size, { outputSide, outputPixels }: TransformLimits): void {
  if (width > outputSide || height > outputSide || width * height > outputPixels)
    throw new ImageRejectedError(`the image would be ${width}x${height}, which is too large`);
}

function sizesOf(plan: ImagePlan, source: SourceSize): Size[] {
  switch (plan.command) {
    case 'imageView2': {
      const { resize, crop } = viewSize(plan.mode, plan.w, plan.h, upright(source));
      return [crop ?? resize];
    }
    case 'imageMogr2': {
      const [first, ...rest] = plan.operations;
      // As the first step, the decoder does it, and shrinks while it reads if a thumbnail follows.
      const isTurned = first?.operation === 'auto-orient';
      const sizes: Size[] = [];
      let size: Size = isTurned ? upright(source) : source;
      for (const operation of isTurned ? rest : plan.operations) {
        size = sizeAfter(operation, size, source);
        sizes.push(size);
      }
      return sizes;
    }
    case 'watermark':
      return [source];
  }
}

function sizeAfter(step: ImageOperation, size: Size, { orientation }: SourceSize): Size {
  switch (step.operation) {
    case 'auto-orient':
      return upright({ ...size, orientation });
    case 'thumbnail':
      return thumbnailSize(step.thumbnail, size);
    case 'crop': {
      const area = cropArea(step.crop, step.gravity, size);
      if (area === undefined) throw new ImageRejectedError('crop leaves nothing of the image');
      return area;
    }
    case 'rotate':
      return rotatedSize(step.degrees, size);
    case 'blur':
    case 'sharpen':
      return size;
  }
}

function upright({ width, height, orientation }: Size & { readonly orientation: number }): Size {
  return orientation >= 5 ? { width: height, height: width } : { width, height };
}
