/** Input and output of the media engine. */
import type { MediaSource } from '@millpond/blobs';
import type { Plan } from '@millpond/protocol';
import type { ImageBounds } from './image-maker.ts';
import type { MediaLimits } from './limits.ts';
import type { StageClock } from './stage-clock.ts';

export interface MediaJob {
  readonly plan: Plan;
  /** The object itself, then what `sourcesOf(plan)` names, in that order. */
  readonly sources: readonly MediaSource[];
  readonly signal: AbortSignal;
  /** Whose turn its images take. */
  readonly tenant?: bigint | undefined;
  /** From 0 to 1, now and then; 1 is never reported before the result is complete. */
  readonly onProgress?: ((fraction: number) => void) | undefined;
  /** Follows what takes how long. */
  readonly clock?: StageClock | undefined;
  readonly limits?: Partial<MediaLimits> | undefined;
  /** For images; by default those of tasks. */
  readonly imageBounds?: Omit<ImageBounds, 'wallMs'> | undefined;
  /** How a playlist names its segments; relative names by default. */
  readonly addressOf?: ((part: PartName) => string) | undefined;
}

/** One file of a set. `count` is -1 for the file before the first (the head of fragmented segments). */
export interface PartName {
  readonly count: number;
  readonly extension: string;
}

export interface MediaOutput {
  /** A plain file with a single hard link, which nobody changes any more. */
  readonly path: string;
  readonly size: number;
  readonly mimeType: string;
}

export interface MediaPart extends MediaOutput, PartName {}

export interface MediaResult {
  readonly main: MediaOutput;
  /** Files that must be stored before it: segments of a playlist, images of a list. */
  readonly parts: readonly MediaPart[];
}

/** A result, and sentences about what its user should know of it, such as a track that it lacks. */
export interface JudgedResult extends MediaResult {
  readonly warnings: readonly string[];
}
