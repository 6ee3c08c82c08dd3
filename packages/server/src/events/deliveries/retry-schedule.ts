/**
 * When a failed delivery is retried: after the waits of the contract, each with up to a fifth more, until five days after
 * its beginning. Times are milliseconds of the rules; a time factor makes them pass faster.
 */
import { MAX_RETRY_AFTER_MS, TRIED_FOR_MS } from '../limits.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export const RETRY_DELAYS: readonly number[] = [
  SECOND,
  5 * SECOND,
  30 * SECOND,
  2 * MINUTE,
  10 * MINUTE,
  30 * MINUTE,
  HOUR,
  2 * HOUR,
  4 * HOUR,
  8 * HOUR,
];
export const MAX_RETRY_DELAY = 12 * HOUR;
const JITTER = 0.2;

export interface FailedAttempt {
  /** Failed tries so far, this one included. */
  readonly tries: number;
  /** How long ago the delivery began. */
  readonly age: number;
  /** What the receiver asked for, if anything. */
  readonly retryAfter: number | undefined;
  /** From 0 to 1. */
  readonly random: number;
}

/** How long to wait for the next try; undefined if there is none. */
export function nextRetryDelay({ tries, age, retryAfter, random }: FailedAttempt): number | undefined {
  const rung = (RETRY_DELAYS[tries - 1] ?? MAX_RETRY_DELAY) * (1 + JITTER * random);
  const wait = Math.max(rung, Math.min(retryAfter ?? 0, MAX_RETRY_AFTER_MS));
  return age + wait > TRIED_FOR_MS ? undefined : wait;
}

/** `Retry-After` in milliseconds from now: seconds or a date; undefined for anything else. */
export function parseRetryAfter(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d{1,9}$/.test(value)) return Number(value) * SECOND;
  // Only HTTP's own date format: Date.parse accepts far more.
  if (!/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(value)) return undefined;
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}
