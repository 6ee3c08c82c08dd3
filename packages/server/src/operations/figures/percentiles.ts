/** Percentiles from the buckets of a histogram, the way Prometheus computes them: linear within a bucket. */

export interface Bucket {
  /** Its upper bound; the last is infinite. */
  readonly le: number;
  /** How many were at most that. */
  readonly count: number;
}

/** Ascending by bound. Undefined if nothing was counted. */
export function percentile(buckets: readonly Bucket[], share: number): number | undefined {
  const total = buckets.at(-1)?.count ?? 0;
  if (!(total > 0)) return undefined;
  const rank = share * total;
  const at = buckets.findIndex(({ count }) => count >= rank);
  const bucket = buckets[at];
  const below = buckets[at - 1] ?? { le: 0, count: 0 };
  // Of what is above all finite bounds, only that is known.
  if (bucket === undefined || bucket.le === Infinity) return below.le;
  const within = bucket.count - below.count;
  return within === 0 ? bucket.le : below.le + (bucket.le - below.le) * ((rank - below.count) / within);
}
