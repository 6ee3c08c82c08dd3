/**
 * `putTime`: units of 100 ns since 1970. It has 17 digits and exceeds 2^53, so it is a bigint everywhere and must never
 * be converted through a number.
 */
const UNITS_PER_MILLISECOND = 10_000n;
const MAX_INT64 = 2n ** 63n - 1n;
const DECIMAL = /^(?:0|[1-9][0-9]{0,18})$/;

export function putTimeOfDate(date: Date): bigint {
  return BigInt(date.getTime()) * UNITS_PER_MILLISECOND;
}

/** Rounded down to the millisecond: a Date holds no more. */
export function dateOfPutTime(putTime: bigint): Date {
  const rest = ((putTime % UNITS_PER_MILLISECOND) + UNITS_PER_MILLISECOND) % UNITS_PER_MILLISECOND;
  return new Date(Number((putTime - rest) / UNITS_PER_MILLISECOND));
}

/** A non-negative int64 in its one canonical form: no sign, no leading zero, no spaces, no exponent. */
export function parseDecimal(text: string): bigint | undefined {
  if (!DECIMAL.test(text)) return undefined;
  const value = BigInt(text);
  return value > MAX_INT64 ? undefined : value;
}
