/** The few figures that a measurement is reduced to. Pure. */

/** The smallest value that at least `share` (0 to 1) of the values do not exceed; NaN if there are none. */
export function percentile(values: readonly number[], share: number): number {
  if (values.length === 0) return Number.NaN;
  const sorted = values.toSorted((one, other) => one - other);
  const rank = Math.ceil(share * sorted.length);
  return sorted[Math.min(Math.max(rank, 1), sorted.length) - 1] ?? Number.NaN;
}

/** The middle value, or the mean of the two middle ones; NaN if there are none. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length / 2;
  if (Number.isInteger(middle))
    return ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2;
  return sorted[Math.floor(middle)] ?? Number.NaN;
}

/** The range of the values: the smallest and the largest. */
export function spread(values: readonly number[]): { readonly min: number; readonly max: number } {
  return { min: Math.min(...values), max: Math.max(...values) };
}

/** As many digits as a measurement on a shared machine is worth. */
export function rounded(value: number): number {
  return Number(value.toPrecision(4));
}

/** A ratio and its 95 % confidence interval; a single pair has no interval (NaN). */
export interface Estimate {
  readonly ratio: number;
  readonly low: number;
  readonly high: number;
}

/**
 * How one side compares to the other, from pairs that were measured next to each other: the mean of the pairs'
 * logarithms, so that twice as fast and half as fast cancel out, with Student's interval.
 */
export function meanRatio(pairs: readonly (readonly [one: number, other: number])[]): Estimate {
  const logs = pairs.map(([one, other]) => Math.log(one / other));
  const mean = logs.reduce((sum, log) => sum + log, 0) / logs.length;
  const squares = logs.reduce((sum, log) => sum + (log - mean) ** 2, 0);
  const error = Math.sqrt(squares / (logs.length - 1) / logs.length);
  const reach = studentQuantile(logs.length - 1) * error;
  return { ratio: Math.exp(mean), low: Math.exp(mean - reach), high: Math.exp(mean + reach) };
}

/** The 97.5 % quantile of Student's t: from the table for few degrees of freedom, then by Fisher's series. */
export function studentQuantile(degrees: number): number {
  if (degrees <= 0) return Number.NaN;
  return [12.7062, 4.3027, 3.1824][degrees - 1] ?? fisherSeries(degrees);
}

const NORMAL_QUANTILE = 1.959964;

function fisherSeries(degrees: number): number {
  const z = NORMAL_QUANTILE;
  const terms = [
    z,
    (z ** 3 + z) / 4,
    (5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96,
    (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / 384,
    (79 * z ** 9 + 776 * z ** 7 + 1482 * z ** 5 - 1920 * z ** 3 - 945 * z) / 92_160,
  ];
  return terms.reduce((sum, term, power) => sum + term / degrees ** power, 0);
}
