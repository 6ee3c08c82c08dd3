/** Readers for option values that several commands share. */
import { GIB, isValidMimeType, MIB } from '@millpond/protocol';
import { InvalidArgumentError } from 'commander';

export function readTime(text: string): Date {
  const time = new Date(text);
  if (Number.isNaN(time.getTime()))
    throw new InvalidArgumentError('must be a time such as 2026-11-15T08:00:00Z');
  return time;
}

export function readLimit(text: string): number {
  const limit = Number(text);
  if (!Number.isInteger(limit) || limit < 1 || limit > 100_000)
    throw new InvalidArgumentError('must be from 1 to 100000');
  return limit;
}

export function readHours(text: string): number {
  const hours = /^\d{1,4}(\.\d{1,4})?$/.test(text) ? Number(text) : Number.NaN;
  if (!(hours <= 8760)) throw new InvalidArgumentError('must be a number of hours, at most 8760');
  return hours;
}

export function readNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (!(value >= least && value <= most))
      throw new InvalidArgumentError(`must be a whole number from ${least} to ${most}`);
    return value;
  };
}

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** `90s`, `10m`, `2h` or `7d`; returns seconds. */
export function readDuration(text: string): number {
  const [, digits = '', unit = ''] = /^([1-9]\d{0,6})([smhd])$/.exec(text) ?? [];
  const seconds = Number(digits) * (SECONDS[unit] ?? 0);
  if (seconds === 0) throw new InvalidArgumentError('must be a time such as 90s, 10m, 2h or 7d');
  return seconds;
}

/** As `readDuration` reads it. */
export function printDuration(seconds: number): string {
  const [unit = 's', size = 1] = Object.entries(SECONDS).findLast(([, each]) => seconds % each === 0) ?? [];
  return `${seconds / size}${unit}`;
}

const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  k: 1024,
  m: MIB,
  g: GIB,
  t: 1024 * GIB,
};

/** `4m` and `4MiB` are both 4 MiB; `4MB` is refused, because people disagree on how many bytes it is. */
export function readSize(text: string): number {
  const [, digits = '', unit = ''] = /^(\d{1,9})(?:([kmgt])(?:ib)?)?$/i.exec(text) ?? [];
  const size = digits === '' ? Number.NaN : Number(digits) * (UNITS[unit.toLowerCase()] ?? Number.NaN);
  if (!Number.isSafeInteger(size) || size < 1)
    throw new InvalidArgumentError('must be a size such as 512k, 8m or 50GiB');
  return size;
}

/** A type such as `text/plain; charset=utf-8`: servers ignore a value that is not a MIME type. */
export function readMime(text: string): string {
  if (!isValidMimeType(text)) throw new InvalidArgumentError('must be a type such as image/png');
  return text;
}

/** `name=value`; may be repeated. */
export function readPair(text: string, before: Record<string, string> = {}): Record<string, string> {
  const equals = text.indexOf('=');
  if (equals < 1) throw new InvalidArgumentError('must be name=value');
  return { ...before, [text.slice(0, equals)]: text.slice(equals + 1) };
}
