export const DAY_MS = 86_400_000;

/** The midnight (UTC) after this many days: when something kept that long is removed. */
export function midnightAfter(days: number, now = Date.now()): Date {
  return new Date(Math.ceil((now + days * DAY_MS) / DAY_MS) * DAY_MS);
}
