/** The dates of signatures: `20130524T000000Z`. Times are in milliseconds. */

const BASIC = /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z$/;

/** Undefined for what is no moment, such as the 30th of February. */
export function parseBasicDate(text: string): number | undefined {
  const match = BASIC.exec(text);
  if (match === null) return undefined;
  const [, year, month, day, hour, minute, second] = match.map(Number);
  const time = Date.UTC(year ?? 0, (month ?? 0) - 1, day, hour, minute, second);
  return formatBasicDate(time) === text ? time : undefined;
}

export function formatBasicDate(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`;
}

/** As answers tell times to people: `2013-05-24T00:00:00Z`. */
export function formatSeconds(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19)}Z`;
}
