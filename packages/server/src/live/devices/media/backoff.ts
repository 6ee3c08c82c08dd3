/** When a channel whose media ended is asked again: soon, then at growing intervals. */

const FIRST_MS = 1_000;
const LONGEST_MS = 60_000;
/** Video that lasted this long does not count as a failure. */
const GOOD_MS = 30_000;
/** For causes that will not change by themselves, such as the camera's encoding. */
const HOPELESS_MS = 10 * 60_000;

export interface Ended {
  /** How long there was video; 0: never. */
  readonly seenMs: number;
  readonly isHopeless: boolean;
}

/** The number of failures in a row after this end. */
export function failuresAfter(before: number, { seenMs }: Ended): number {
  return seenMs >= GOOD_MS ? 1 : before + 1;
}

/** `chance`: from 0 to 1, so that the channels of a site are not all asked at the same moment. */
export function waitMs(failures: number, { isHopeless }: Pick<Ended, 'isHopeless'>, chance: number): number {
  if (isHopeless) return HOPELESS_MS;
  const wait = Math.min(FIRST_MS * 2 ** Math.min(Math.max(failures, 1) - 1, 30), LONGEST_MS);
  return wait * (0.8 + 0.4 * chance);
}
