/** The dates of signatures: `20130524T000000Z`. Times are in milliseconds. */

const BASIC = /^\d{8}T([01]\d|2[0-3])[0-5]\d[0-5]\dZ$/;

/** Undefined for what is no moment, such as the 30th of February. */
export function parseBasicDate(text: string): number | undefined {
  if (!BASIC.test(text)) return undefined;
  // JavaScript's own parser is faster than taking the text apart here; it takes the 30th of February for March.
  const time = Date.parse(
    `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6, 11)}:${text.slice(11, 13)}:${text.slice(13)}`,
  );
  return new Date(time).getUTCDate() === Number(text.slice(6, 8)) ? time : undefined;
}

export function formatBasicDate(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`;
}

/** As answers tell times to people: `2013-05-24T00:00:00Z`. */
export function formatSeconds(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19)}Z`;
}
