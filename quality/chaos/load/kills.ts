/** The fault of most runs: kills servers, one after the other, at times that the seed decides. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunContext } from '../run-environment.ts';

/** Anything that can be broken and comes back by itself, or is brought back. */
export interface Victim {
  killAndRestart(): Promise<void>;
}

const MIN_LIFE_MS = 150;
const MAX_LIFE_MS = 1500;

export interface Killed {
  readonly kills: number;
  /** From a kill until the victim was ready again, under the load. */
  readonly medianRecoveryMs: number;
  readonly slowestRecoveryMs: number;
}

/** Each victim is up again before the next one is killed. */
export async function killServers(
  { options, random, signal, say }: RunContext,
  victims: readonly Victim[],
): Promise<Killed> {
  const nemesis = random.fork('nemesis');
  const end = options.minutes === undefined ? undefined : Date.now() + options.minutes * 60_000;
  const recoveries: number[] = [];
  while (end === undefined ? recoveries.length < options.kills : Date.now() < end) {
    await sleep(nemesis.integer(MIN_LIFE_MS, MAX_LIFE_MS), undefined, { signal });
    const killedAt = performance.now();
    await nemesis.pick(victims).killAndRestart();
    recoveries.push(Math.round(performance.now() - killedAt));
    say(`kill ${recoveries.length}${end === undefined ? ` of ${options.kills}` : ''}`);
  }
  // The last one also gets time to run: its clients come back and finish something.
  await sleep(MAX_LIFE_MS, undefined, { signal });
  const sorted = recoveries.toSorted((one, other) => one - other);
  return {
    kills: sorted.length,
    medianRecoveryMs: sorted[Math.floor(sorted.length / 2)] ?? 0,
    slowestRecoveryMs: sorted.at(-1) ?? 0,
  };
}

export interface Kills {
  /** By the name of the victims. */
  readonly counts: Readonly<Record<string, number>>;
  /** Milliseconds since 1970. */
  readonly times: readonly number[];
}

/** The same for victims of several kinds; says when each was killed. */
export async function killInTurn(
  { options, random, signal, say }: RunContext,
  victims: Readonly<Record<string, readonly Victim[]>>,
): Promise<Kills> {
  const nemesis = random.fork('nemesis');
  const named = Object.entries(victims).flatMap(([name, all]) => all.map((victim) => ({ name, victim })));
  const counts: Record<string, number> = Object.fromEntries(Object.keys(victims).map((name) => [name, 0]));
  const times: number[] = [];
  const end = options.minutes === undefined ? undefined : Date.now() + options.minutes * 60_000;
  while (end === undefined ? times.length < options.kills : Date.now() < end) {
    await sleep(nemesis.integer(MIN_LIFE_MS, MAX_LIFE_MS), undefined, { signal });
    const { name, victim } = nemesis.pick(named);
    times.push(Date.now());
    counts[name] = (counts[name] ?? 0) + 1;
    await victim.killAndRestart();
    say(`kill ${times.length}: ${name}`);
  }
  await sleep(MAX_LIFE_MS, undefined, { signal });
  return { counts, times };
}
