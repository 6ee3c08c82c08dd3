/** The fault of most runs: kills servers, one after the other, at times that the seed decides. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunContext } from '../place.ts';

/** Anything that can be broken and comes back by itself, or is brought back. */
export interface Victim {
  killAndRestart(): Promise<void>;
}

const SHORTEST_LIFE_MS = 150;
const LONGEST_LIFE_MS = 1500;

/** Returns the number of kills. Each victim is up again before the next one is killed. */
export async function killServers(
  { options, random, signal, say }: RunContext,
  victims: readonly Victim[],
): Promise<number> {
  const nemesis = random.fork('nemesis');
  const end = options.minutes === undefined ? undefined : Date.now() + options.minutes * 60_000;
  let kills = 0;
  while (end === undefined ? kills < options.kills : Date.now() < end) {
    await sleep(nemesis.integer(SHORTEST_LIFE_MS, LONGEST_LIFE_MS), undefined, { signal });
    await nemesis.pick(victims).killAndRestart();
    kills++;
    say(`kill ${kills}${end === undefined ? ` of ${options.kills}` : ''}`);
  }
  // The last one also gets time to run: its clients come back and finish something.
  await sleep(LONGEST_LIFE_MS, undefined, { signal });
  return kills;
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
    await sleep(nemesis.integer(SHORTEST_LIFE_MS, LONGEST_LIFE_MS), undefined, { signal });
    const { name, victim } = nemesis.pick(named);
    times.push(Date.now());
    counts[name] = (counts[name] ?? 0) + 1;
    await victim.killAndRestart();
    say(`kill ${times.length}: ${name}`);
  }
  await sleep(LONGEST_LIFE_MS, undefined, { signal });
  return { counts, times };
}
