/** The date header of a signed request, `yyyymmddThhmmssZ`, which limits how long the request can be replayed. */
const FORMAT = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/;

import { MAX_CLOCK_SKEW_SECONDS } from '../limits/limits.ts';

/** The instant, or undefined if the text is not exactly in the format or names no real time. */
export function parseRequestDate(text: string): Date | undefined {
  if (!FORMAT.test(text)) return undefined;
  const date = new Date(text.replace(FORMAT, '$1-$2-$3T$4:$5:$6Z'));
  // Date accepts the 30th of February and 24:00:00, and turns them into another day.
  if (Number.isNaN(date.getTime()) || formatRequestDate(date) !== text) return undefined;
  return date;
}

export function formatRequestDate(date: Date): string {
  return `${date.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`;
}

/** Fifteen minutes off, in either direction, is already too much. */
export function isRequestDateFresh(date: Date, now: Date): boolean {
  return Math.abs(now.getTime() - date.getTime()) < MAX_CLOCK_SKEW_SECONDS * 1000;
}
