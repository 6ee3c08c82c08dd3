/** HTTP dates: written in the one form that RFC 9110 prescribes, read in all three. Times are unix seconds. */
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const TIME = '(\\d\\d):(\\d\\d):(\\d\\d)';
const DAY = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)';
const IMF = new RegExp(`^${DAY}, (\\d\\d) (\\w{3}) (\\d{4}) ${TIME} GMT$`);
const RFC850 = new RegExp(
  `^(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, (\\d\\d)-(\\w{3})-(\\d\\d) ${TIME} GMT$`,
);
const ASCTIME = new RegExp(`^${DAY} (\\w{3}) ([ \\d]\\d) ${TIME} (\\d{4})$`);

export function formatHttpDate(unixSeconds: number): string {
  return new Date(Math.floor(unixSeconds) * 1000).toUTCString();
}

/** Undefined for anything else: a header with a bad date must be ignored. */
export function parseHttpDate(text: string): number | undefined {
  const imf = IMF.exec(text);
  if (imf !== null) {
    const [, day, month, year, hour, minute, second] = imf;
    return moment(year, month, day, hour, minute, second);
  }
  const rfc850 = RFC850.exec(text);
  if (rfc850 !== null) {
    const [, day, month, year = '', hour, minute, second] = rfc850;
    return moment(`${year < '70' ? '20' : '19'}${year}`, month, day, hour, minute, second);
  }
  const [, month, day, hour, minute, second, year] = ASCTIME.exec(text) ?? [];
  return moment(year, month, day, hour, minute, second);
}

function moment(
  ...[year, month = '', day, hour, minute, second]: (string | undefined)[]
): number | undefined {
  const monthIndex = MONTHS.indexOf(month);
  if (monthIndex < 0) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), monthIndex, Number(day));
  // A leap second counts as the one before it.
  date.setUTCHours(Number(hour), Number(minute), Math.min(Number(second), 59));
  const exact =
    date.getUTCDate() === Number(day) &&
    date.getUTCHours() === Number(hour) &&
    date.getUTCMinutes() === Number(minute);
  return exact && Number(second) <= 60 ? date.getTime() / 1000 : undefined;
}
