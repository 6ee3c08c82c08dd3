/** A rotation that stays metadata: not every container can say it, and some of those that can are written without. */
import { type AvthumbPlan, videoCodecOf } from '@millpond/protocol';
import { commandFailed } from '../../engine-messages.ts';
import { ProcessingError } from '../../failure.ts';
import type { MediaFacts, VideoFacts } from '../../probe.ts';

/** Fails if players would show the result in another way than its source. */
export function checkRotation(source: VideoFacts | undefined, result: MediaFacts, container: string): void {
  if (source === undefined || source.rotation === result.video?.rotation) return;
  throw new ProcessingError('source', cannotSayRotation(source, container, 'encode it'));
}

/** `instead`: what to do about it. */
export function cannotSayRotation({ rotation }: VideoFacts, container: string, instead: string): string {
  return commandFailed(
    `the video is rotated by ${rotation} degrees, which ${container} cannot say: ${instead}`,
  );
}

/** Pixels stay as they are, and the file says how they are to be turned. */
export function keepsRotation(plan: AvthumbPlan): boolean {
  return plan.rotateinfo === true || videoCodecOf(plan) === 'copy';
}

const TRACK_HEADER = 'tkhd';

/**
 * Writes the rotation into the head of fragmented MP4: ffmpeg's writer of playlists drops it before version 7. In the header of
 * the track with a picture, whose width is not 0.
 */
export function rotateHead(head: Buffer, degrees: number): Buffer {
  const rotated = Buffer.from(head);
  for (let at = rotated.indexOf(TRACK_HEADER); at >= 0; at = rotated.indexOf(TRACK_HEADER, at + 1)) {
    const body = at + TRACK_HEADER.length;
    const matrix = body + (rotated[body] === 1 ? 52 : 40);
    const width = matrix + 36;
    if (width + 4 > rotated.length || rotated.readUInt32BE(width) === 0) continue;
    const [cos = 0, sin = 0] = [Math.cos, Math.sin].map((of) =>
      Math.round(of((degrees * Math.PI) / 180) * 0x10000),
    );
    for (const [entry, value] of [cos, sin, 0, -sin, cos].entries())
      rotated.writeInt32BE(value + 0, matrix + 4 * entry);
    return rotated;
  }
  return rotated;
}
