/** How large a video is shown, and how large its result shall be. Results have square pixels wherever their size is changed. */
import type { AvthumbPlan } from '@millpond/protocol';
import type { VideoFacts } from '../../probe.ts';

export interface FrameSize {
  readonly width: number;
  readonly height: number;
}

/** Encoders want even sides. */
export const even = (pixels: number): number => Math.max(2, 2 * Math.round(pixels / 2));
/** Where a side must not grow. */
export const evenBelow = (pixels: number): number => Math.max(2, 2 * Math.floor(pixels / 2));

/** In square pixels, turned clockwise by so much. */
export function shownSize({ width, height, pixelAspect }: VideoFacts, degrees: number): FrameSize {
  const square = { width: width * pixelAspect, height };
  return degrees % 180 === 0 ? square : { width: square.height, height: square.width };
}

/** The rotation of the frames that come out. */
export function degreesOf({ rotate, rotateinfo }: AvthumbPlan, video: VideoFacts): number {
  if (rotateinfo) return 0;
  return rotate === undefined || rotate === 'auto' ? video.rotation : Number(rotate);
}

/** Within a box, as large as its shape allows. */
export function fitInto(shown: FrameSize, box: FrameSize): FrameSize {
  const factor = Math.min(box.width / shown.width, box.height / shown.height);
  return {
    width: Math.min(evenBelow(box.width), even(shown.width * factor)),
    height: Math.min(evenBelow(box.height), even(shown.height * factor)),
  };
}

/** The size that `s` asks for; undefined if it leaves the video as it is. */
function askedSize({ s, autoscale }: AvthumbPlan, shown: FrameSize): FrameSize | undefined {
  if (s === undefined) return undefined;
  const { width, height, only } = s;
  const isWithin = shown.width <= (width ?? shown.width) && shown.height <= (height ?? shown.height);
  const isBeyond = shown.width >= (width ?? Infinity) || shown.height >= (height ?? Infinity);
  if ((only === 'smaller' && isWithin) || (only === 'larger' && isBeyond)) return undefined;
  if (width === undefined) {
    const high = evenBelow(height ?? shown.height);
    return { width: even((shown.width * high) / shown.height), height: high };
  }
  if (height === undefined) {
    const wide = evenBelow(width);
    return { width: wide, height: even((shown.height * wide) / shown.width) };
  }
  return autoscale
    ? fitInto(shown, { width, height })
    : { width: evenBelow(width), height: evenBelow(height) };
}

/** The size to scale to; undefined if the frames stay as they are, with whatever shape their pixels have. */
export function resultSize(plan: AvthumbPlan, video: VideoFacts): FrameSize | undefined {
  const shown = shownSize(video, degreesOf(plan, video));
  const asked = askedSize(plan, shown);
  if (asked !== undefined) return asked;
  // What is laid over the frame, or put around it, is of square pixels; a gif has no others.
  const isSquare = plan.s !== undefined || plan.padW !== undefined || plan.format === 'gif' || isMarked(plan);
  if (!isSquare || video.pixelAspect === 1) return undefined;
  return { width: even(shown.width), height: even(shown.height) };
}

function isMarked({ wmImage, wmVideo, wmText, subtitle, scodec }: AvthumbPlan): boolean {
  return (wmImage ?? wmVideo ?? wmText) !== undefined || (subtitle !== undefined && scodec === undefined);
}
