/** Ranges of days, in UTC, both ends included. */
import { DAY_MS, Fault } from '@millpond/protocol';

export interface Days {
  /** `YYYY-MM-DD`. */
  readonly from: string;
  readonly to: string;
}

/** How long request counts are kept. */
export const MAX_DAYS = 400;

/** Today alone if nothing is given; up to today without an end; a single day if only a past end is given. */
export function daysOf(from = '', to = '', now = new Date()): Days {
  const today = now.toISOString().slice(0, 10);
  const last = to === '' ? today : to;
  const first = from === '' && last < today ? last : from === '' ? today : from;
  for (const day of [first, last]) checkDay(day);
  if (first > last || Date.parse(last) - Date.parse(first) >= MAX_DAYS * DAY_MS)
    throw new Fault('invalidArgument', { hint: `from and to may span at most ${MAX_DAYS} days` });
  return { from: first, to: last };
}

function checkDay(text: string): void {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN;
  // 30 February is not a day, and the database has no year 0.
  if (Number.isNaN(time) || text < '0001' || new Date(time).toISOString().slice(0, 10) !== text)
    throw new Fault('invalidArgument', { hint: 'a day must be written YYYY-MM-DD' });
}
