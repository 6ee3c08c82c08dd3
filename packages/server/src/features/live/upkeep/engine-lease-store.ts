/** The lease of an engine, by its name. */
export function engineLease(engine: string): string {
  return `engine ${engine}`;
}

/** SQL: whether nobody has had an engine's lease for so many milliseconds. */
export function isAbandoned(engine: string, ms: string): string {
  return `NOT EXISTS (SELECT FROM region.live_leases l
    WHERE l.name = 'engine ' || ${engine} AND l.leased_until > clock_timestamp() - ${ms} * interval '1 millisecond')`;
}
