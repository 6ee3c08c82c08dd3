/** One setting: its name in the environment, how it is written, its default and what it does. */
import type { Reader } from './values.ts';

export interface Setting<T> {
  readonly env: string;
  readonly reader: Reader<T>;
  /** As written in the environment; absent: the setting is required unless `optional`. */
  readonly fallback?: string;
  readonly optional?: true;
  /** Never printed, not even in a fault. May be given as `<env>_FILE`, a file that holds the value. */
  readonly secret?: true;
  readonly meaning: string;
}

export function required<T>(env: string, reader: Reader<T>, meaning: string): Setting<T> {
  return { env, reader, meaning };
}
export function optional<T>(env: string, reader: Reader<T>, meaning: string): Setting<T | undefined> {
  return { env, reader, meaning, optional: true };
}
export function withDefault<T>(
  env: string,
  reader: Reader<T>,
  fallback: string,
  meaning: string,
): Setting<T> {
  return { env, reader, fallback, meaning };
}
export function secret<T>(setting: Setting<T>): Setting<T> {
  return { ...setting, secret: true };
}
