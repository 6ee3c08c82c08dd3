/** What clients noticed of a failover: how long no write succeeded, and which failures one retry did not heal. Pure. */

/** One request of a writer. Times are milliseconds since 1970. */
export interface Attempt {
  readonly begunAt: number;
  readonly endedAt: number;
  readonly isGood: boolean;
  /** The second attempt of what failed before. */
  readonly isRetry: boolean;
}

export interface FailoverTimes {
  readonly struckAt: number;
  /** When a server took writes again; undefined if none ever stopped. */
  readonly primaryAt?: number | undefined;
  /** When the next fault begins, or the run ends. */
  readonly overAt: number;
}

export interface ClientImpact {
  /** The longest time between two successful writes. */
  readonly silentMs: number;
  /** Until the first successful write after the new primary was there. */
  readonly writesBackMs?: number;
  readonly failed: number;
  /** Failed, and so did the retry. */
  readonly unhealed: number;
}

export function whatWasNoticed(
  attempts: readonly Attempt[],
  { struckAt, primaryAt, overAt }: FailoverTimes,
): ClientImpact {
  const within = attempts.filter(({ endedAt }) => endedAt >= struckAt && endedAt < overAt);
  const successes = attempts
    .filter(({ isGood, endedAt }) => isGood && endedAt < overAt)
    .map(({ endedAt }) => endedAt)
    .toSorted((one, other) => one - other);
  const gaps = successes.map((at, index) => (at < struckAt ? 0 : at - (successes[index - 1] ?? struckAt)));
  // Nothing succeeded any more: the silence lasts until the end.
  const last = overAt - Math.max(struckAt, successes.at(-1) ?? struckAt);
  const isBack = successes.find((at) => at >= struckAt) !== undefined;
  const back = primaryAt === undefined ? undefined : successes.find((at) => at >= primaryAt);
  return {
    silentMs: Math.max(0, ...gaps, isBack ? 0 : last),
    ...(primaryAt === undefined ? {} : { writesBackMs: (back ?? overAt) - primaryAt }),
    failed: within.filter(({ isGood }) => !isGood).length,
    unhealed: within.filter(({ isGood, isRetry }) => !isGood && isRetry).length,
  };
}

/** With no loss in so many, more than this share is lost with a probability of at most 5 %. */
export function lossBound(acknowledged: number): number | undefined {
  return acknowledged === 0 ? undefined : 3 / acknowledged;
}
