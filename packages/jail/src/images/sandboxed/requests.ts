/** Requests to an image process, and its replies. Plain JSON both ways. */
import type { ImageMogr2Plan, ImageView2Plan, WatermarkPlan } from '@millpond/protocol';

/** What to report about one image. */
export interface InspectRequest {
  readonly kind: 'look';
  /** Also the average colour, for which the image must be decoded. */
  readonly average: boolean;
  readonly maxBytes: number;
  readonly maxPixels: number;
  /** For decoding. */
  readonly seconds: number;
}

export type ImagePlan = ImageView2Plan | ImageMogr2Plan | WatermarkPlan;

export interface TransformLimits {
  readonly maxPixels: number;
  readonly maxSide: number;
  readonly seconds: number;
  /** Number of frames of an animation. */
  readonly frames: number;
  /** All frames of an animation, decoded. */
  readonly frameBytes: number;
  readonly outputSide: number;
  readonly outputPixels: number;
}

/** What to make of the first image; the plan lays the others over it. */
export interface TransformRequest {
  readonly kind: 'work';
  readonly images: number;
  readonly maxBytes: number;
  readonly plan: ImagePlan;
  readonly limits: TransformLimits;
}

export type ImageRequest = InspectRequest | TransformRequest;

/** The reply to a look; missing fields could not be determined. */
export interface InspectReply {
  readonly imageInfo?: unknown;
  readonly exif?: unknown;
  readonly imageAve?: unknown;
}

/** The reply to work: an image, whose bytes follow; or that the source is to be used unchanged; or why it failed. */
export type TransformReply =
  | { readonly format: string; readonly width: number; readonly height: number }
  | { readonly original: true }
  | FailureReply;

/** Why there is nothing: a sentence of ours, or what a decoder or an encoder said. */
export type FailureReply = { readonly refused: string } | { readonly error: string };

export interface ImageReply {
  readonly told: InspectReply | TransformReply | FailureReply;
  readonly body?: Uint8Array;
}
