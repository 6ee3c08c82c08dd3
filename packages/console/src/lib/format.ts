/** Numbers, sizes and times as people read them, in the chosen language and zone. */
import { currentLanguage, preferences } from './preferences.ts';

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'];
const DAY_MS = 86_400_000;

/** Making one takes longer than using it a hundred times, and lists show thousands of figures. */
const formats = new Map<string, unknown>();

function made<Format>(name: string, make: () => Format): Format {
  if (!formats.has(name)) formats.set(name, make());
  return formats.get(name) as Format;
}

function numbers(options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const language = currentLanguage();
  return made(`${language} ${JSON.stringify(options)}`, () => new Intl.NumberFormat(language, options));
}

/** By 1024: `7.31 GiB`. */
export function bytes(value: number): string {
  let at = 0;
  let rest = value;
  while (rest >= 1024 && at < UNITS.length - 1) {
    rest /= 1024;
    at++;
  }
  const digits = at === 0 || rest >= 100 ? 0 : rest >= 10 ? 1 : 2;
  return `${number(rest, digits)} ${UNITS[at]}`;
}

export function number(value: number, digits = 0): string {
  return numbers({ maximumFractionDigits: digits }).format(value);
}

/** `41.2M`, or `4120万` in Chinese. */
export function compactNumber(value: number): string {
  return numbers({ notation: 'compact', maximumFractionDigits: 1 }).format(value);
}

export function percent(share: number): string {
  return numbers({ style: 'percent', maximumFractionDigits: 0 }).format(share);
}

export function milliseconds(value: number): string {
  if (value < 1000) return `${number(value, value < 10 ? 1 : 0)} ms`;
  if (value < 60_000) return `${number(value / 1000, 1)} s`;
  return durationText(value);
}

type Moment = Date | string | number;

function dateOf(moment: Moment): Date {
  return moment instanceof Date ? moment : new Date(moment);
}

/** By the date's own fields, which takes a hundredth of what `Intl` takes: a list that is scrolled fast shows thousands of times. */
function parts(moment: Moment) {
  const date = dateOf(moment);
  const two = (value: number) => String(value).padStart(2, '0');
  const [year, ...rest] =
    preferences().zone === 'UTC'
      ? [
          date.getUTCFullYear(),
          date.getUTCMonth() + 1,
          date.getUTCDate(),
          date.getUTCHours(),
          date.getUTCMinutes(),
          date.getUTCSeconds(),
        ]
      : [
          date.getFullYear(),
          date.getMonth() + 1,
          date.getDate(),
          date.getHours(),
          date.getMinutes(),
          date.getSeconds(),
        ];
  const [month, day, hour, minute, second] = rest.map(two);
  return { year: String(year).padStart(4, '0'), month, day, hour, minute, second };
}

/** `2026-11-15 14:32:07`. */
export function time(moment: Moment): string {
  const { year, month, day } = parts(moment);
  return `${year}-${month}-${day} ${clock(moment)}`;
}

/** `14:32:07`. */
export function clock(moment: Moment): string {
  const { hour, minute, second } = parts(moment);
  return `${hour}:${minute}:${second}`;
}

/** `11-15`. */
export function day(moment: Moment): string {
  const { month, day: ofMonth } = parts(moment);
  return `${month}-${ofMonth}`;
}

/** The time of today, the day otherwise: for narrow columns. */
export function shortTime(moment: Moment, now: number = Date.now()): string {
  const { year, month, day, hour, minute } = parts(moment);
  const today = parts(now);
  if (today.year === year && today.month === month && today.day === day) return clock(moment);
  return today.year === year ? `${month}-${day} ${hour}:${minute}` : `${year}-${month}-${day}`;
}

/** A length of time in its two largest units: `2 d 21 h`, `3 h 51 min`, `0:41`. */
export function durationText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const [d, h] = [Math.floor(seconds / 86_400), Math.floor((seconds % 86_400) / 3600)];
  const [m, s] = [Math.floor((seconds % 3600) / 60), String(seconds % 60).padStart(2, '0')];
  const isChinese = currentLanguage() === 'zh-CN';
  if (d > 0) return isChinese ? `${d} 天 ${h} 小时` : `${d} d ${h} h`;
  if (h > 0) return isChinese ? `${h} 小时 ${m} 分` : `${h} h ${m} min`;
  return `${m}:${s}`;
}

/** How long ago, below a day; the time itself otherwise. */
export function relativeTime(moment: Moment, now: number = Date.now()): string {
  const past = now - dateOf(moment).getTime();
  if (past >= DAY_MS || past < -60_000) return time(moment);
  const format = new Intl.RelativeTimeFormat(currentLanguage(), { numeric: 'auto', style: 'short' });
  if (past < 60_000) return format.format(-Math.max(0, Math.round(past / 1000)), 'second');
  if (past < 3_600_000) return format.format(-Math.round(past / 60_000), 'minute');
  return format.format(-Math.round(past / 3_600_000), 'hour');
}
