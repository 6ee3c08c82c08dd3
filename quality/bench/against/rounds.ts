/** This tree and the other in turn, ABBA: what disturbs the machine disturbs both, and neither is always second. */
import { type Estimate, meanRatio } from '../statistics.ts';

/** Code that has just been started is still being compiled. */
const WARM_UP_ROUNDS = 3;

export interface Load {
  readonly perSecond: number;
  /** Requests, events or tasks that were completed. */
  readonly count: number;
}

/** A server of one of the trees, ready to be measured. */
export interface Side {
  run(seconds: number): Promise<Load>;
  /** CPU seconds used so far by the server and what it started. */
  cpu(): number;
}

export interface Sides {
  readonly ours: Side;
  readonly other: Side;
}

export interface RoundResult {
  readonly perSecond: number;
  /** Microseconds of the server's CPU per counted item. */
  readonly cpu: number;
}

export interface PairedRound {
  readonly ours: RoundResult;
  readonly other: RoundResult;
}

export async function runInTurn(
  sides: Sides,
  { rounds, seconds }: { readonly rounds: number; readonly seconds: number },
  report: (done: readonly PairedRound[]) => void,
): Promise<PairedRound[]> {
  const done: PairedRound[] = [];
  for (let round = -WARM_UP_ROUNDS; round < rounds; round++) {
    const paired = await runRound(sides, seconds, round % 2 === 0);
    if (round < 0) continue;
    done.push(paired);
    report(done);
  }
  return done;
}

async function runRound({ ours, other }: Sides, seconds: number, oursFirst: boolean): Promise<PairedRound> {
  if (oursFirst) return { ours: await turn(ours, seconds), other: await turn(other, seconds) };
  const second = await turn(other, seconds);
  return { ours: await turn(ours, seconds), other: second };
}

async function turn(side: Side, seconds: number): Promise<RoundResult> {
  const before = side.cpu();
  const { perSecond, count } = await side.run(seconds);
  return { perSecond, cpu: ((side.cpu() - before) * 1e6) / count };
}

export function rateRatio(rounds: readonly PairedRound[]): Estimate {
  return meanRatio(rounds.map(({ ours, other }) => [ours.perSecond, other.perSecond]));
}

/** Over the rounds in which both took long enough for the kernel's clock, which counts hundredths, to notice. */
export function cpuRatio(rounds: readonly PairedRound[]): Estimate {
  const noticed = rounds.filter(({ ours, other }) => ours.cpu > 0 && other.cpu > 0);
  return meanRatio(noticed.map(({ ours, other }) => [ours.cpu, other.cpu]));
}
