/** Readers of option values that several commands have. */
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
