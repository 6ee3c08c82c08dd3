export const DAY_MS = 86_400_000;

/** The midnight (of UTC) after so many days: when what is kept so long goes. */
export function midnightAfter(days: number, now = Date.now()): Date {
  return new Date(Math.ceil((now + days * DAY_MS) / DAY_MS) * DAY_MS);
}
