/** Ours and bare in turn, in several short rounds, so that what disturbs the machine disturbs both. */
import type { Driver } from './load/driver.ts';
import type { Outcome, Work } from './load/work.ts';

const WARM_UP_SECONDS = 1;

export interface Sides {
  readonly ours: Work;
  readonly bare: Work;
}

export interface RoundOptions {
  readonly concurrency: number;
  /** For our side, if one of its requests does what the other side does in many. */
  readonly oursConcurrency?: number;
  readonly seconds: number;
  readonly rounds: number;
  /** CPU seconds of the server so far. */
  readonly serverCpu: () => number;
  /** Between measurements, for what a round has left behind. */
  readonly afterSide?: () => Promise<void>;
}

export interface OurOutcome extends Outcome {
  /** Microseconds of CPU that the server used per request. */
  readonly serverCpu: number;
}

export interface Round {
  readonly ours: OurOutcome;
  readonly bare: Outcome;
}

export async function runRounds(driver: Driver, sides: Sides, options: RoundOptions): Promise<Round[]> {
  const { concurrency, oursConcurrency = concurrency, seconds, rounds } = options;
  const { afterSide = async () => undefined } = options;
  const warmUp = Math.min(WARM_UP_SECONDS, seconds);
  await driver.run({ work: sides.ours, concurrency: oursConcurrency, seconds: warmUp });
  await afterSide();
  await driver.run({ work: sides.bare, concurrency, seconds: warmUp });
  await afterSide();
  const done: Round[] = [];
  while (done.length < rounds) {
    const cpuBefore = options.serverCpu();
    const ours = await driver.run({ work: sides.ours, concurrency: oursConcurrency, seconds });
    const cpu = options.serverCpu() - cpuBefore;
    await afterSide();
    const bare = await driver.run({ work: sides.bare, concurrency, seconds });
    await afterSide();
    done.push({ ours: { ...ours, serverCpu: (cpu * 1e6) / ours.latencies.length }, bare });
  }
  return done;
}

/** Rounds whose requests each stand for several counted items. */
export function scaled(rounds: readonly Round[], per: { ours: number; bare: number }): Round[] {
  return rounds.map(({ ours, bare }) => ({
    ours: { ...ours, opsPerSecond: ours.opsPerSecond * per.ours },
    bare: { ...bare, opsPerSecond: bare.opsPerSecond * per.bare },
  }));
}
