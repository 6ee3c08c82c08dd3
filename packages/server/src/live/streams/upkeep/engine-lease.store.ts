/** The name of an engine's lease. */
export function engineLease(engine: string): string {
  return `engine ${engine}`;
}

/** SQL: whether nobody has held an engine's lease for this many milliseconds. */
export function isAbandoned(engine: string, ms: string): string {
  return `NOT EXISTS (SELECT FROM region.live_leases l
    WHERE l.name = 'engine ' || ${engine} AND l.leased_until > clock_timestamp() - ${ms} * interval '1 millisecond')`;
}
