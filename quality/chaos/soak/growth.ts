/** Whether what a server uses grew: what it used after a quarter of a run beside what it used in the end. Pure. */

/** A quarter of it is for caches to fill and for code to be compiled. */
const WARM_SHARE = 1 / 4;
/** Each figure is the median of so much of the run: a program that happens to run in a moment is not growth. */
const WINDOW_SHARE = 1 / 12;
const MIN_SAMPLES = 120;
export const MAX_GROWTH = 0.05;

export interface Growth {
  readonly before: number;
  readonly after: number;
  /** 0.05 is 5 %. */
  readonly share: number;
}

/** Undefined if there are too few samples to say. */
export function growthOf(samples: readonly number[]): Growth | undefined {
  if (samples.length < MIN_SAMPLES) return undefined;
  const window = Math.round(samples.length * WINDOW_SHARE);
  const warm = Math.round(samples.length * WARM_SHARE);
  const before = median(samples.slice(warm - window / 2, warm + window / 2));
  const after = median(samples.slice(-window));
  return { before, after, share: after / before - 1 };
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[sorted.length >> 1] ?? 0;
}
