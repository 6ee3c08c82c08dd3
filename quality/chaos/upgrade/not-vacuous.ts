/** Rejects vacuous runs, in which nothing could fail. */
import path from 'node:path';
import type { Attempt } from '../checks/failover.ts';

/** A version of the server, as far as an upgrade is concerned. */
export interface Build {
  readonly version: string;
  /** The names of its migrations. */
  readonly migrations: readonly string[];
}

/** To which gateway, and with what answer. */
export interface ServedAttempt extends Attempt {
  readonly what: string;
  readonly url: string;
  readonly answer: string;
}

/** Paths of migrations: whether none follows the baseline of its schema. */
export function hasOnlyBaseline(migrations: readonly string[]): boolean {
  return migrations.every((name) => path.basename(name).startsWith('0001_'));
}

/** Undefined: they differ, or there are no other tables yet than those of the baseline. */
export function sameBuild(before: Build, after: Build): string | undefined {
  const isSame =
    before.version === after.version &&
    before.migrations.join('\n') === after.migrations.join('\n') &&
    !hasOnlyBaseline(after.migrations);
  return isSame ? `${before.version} with the same migrations is upgraded to itself` : undefined;
}

/** New steps that `millpond migrate` does not say that it applied. */
export function notApplied(before: Build, after: Build, said: string): string[] {
  const applied = new Set(said.split('\n'));
  return after.migrations.filter(
    (name) => !before.migrations.includes(name) && !applied.has(`applied ${name}`),
  );
}

/** Numbers of requests that succeeded at each gateway in a time. */
export function servedAt(
  attempts: readonly ServedAttempt[],
  urls: readonly string[],
  { since, until = Infinity }: { readonly since: number; readonly until?: number },
): number[] {
  const within = attempts.filter(
    ({ isGood, begunAt, endedAt }) => isGood && begunAt >= since && endedAt < until,
  );
  return urls.map((url) => within.filter((attempt) => attempt.url === url).length);
}

/** What failed in a time, in words. */
export function failures(
  attempts: readonly ServedAttempt[],
  { since, until }: { readonly since: number; readonly until: number },
): string[] {
  return attempts
    .filter(({ isGood, endedAt }) => !isGood && endedAt >= since && endedAt < until)
    .map(({ what, answer }) => `${what}: ${answer}`);
}

/** What did not happen at all. */
export function zeroes(counts: Readonly<Record<string, number>>): string[] {
  return Object.entries(counts)
    .filter(([, count]) => count === 0)
    .map(([name]) => `no ${name}`);
}
