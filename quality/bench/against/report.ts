/** The result of a comparison of two trees, as data or as a table for people. */
import { type Estimate, median, rounded } from '../statistics.ts';
import { cpuRatio, type PairedRound, type RoundResult, rateRatio } from './rounds.ts';

export interface Measured {
  readonly name: string;
  /** Medians of the rounds: items per second, and microseconds of the server's CPU per item. */
  readonly ours: RoundResult;
  readonly other: RoundResult;
  /** Ours to the other, with a 95 % interval. Above 1: ours does more per second. */
  readonly ratio: Estimate;
  /** The same for the CPU. Above 1: ours takes more. */
  readonly cpuRatio: Estimate;
  readonly rounds: readonly PairedRound[];
}

export interface Failed {
  readonly name: string;
  readonly failure: string;
}

export interface Trees {
  /** Folder and commit. */
  readonly ours: string;
  readonly other: string;
}

export function measured(name: string, rounds: readonly PairedRound[]): Measured {
  return {
    name,
    ours: medianTurn(rounds.map((round) => round.ours)),
    other: medianTurn(rounds.map((round) => round.other)),
    ratio: roundedEstimate(rateRatio(rounds)),
    cpuRatio: roundedEstimate(cpuRatio(rounds)),
    rounds: rounds.map(({ ours, other }) => ({ ours: roundedTurn(ours), other: roundedTurn(other) })),
  };
}

export function againstTable(trees: Trees, results: readonly (Measured | Failed)[]): string {
  const head = ['', 'ours/s', 'other/s', 'ratio (95 %)', 'ours µs', 'other µs', 'ratio of CPU (95 %)'];
  const rows = results.map((result) => ('failure' in result ? [result.name, result.failure] : cells(result)));
  return [
    `ours:  ${trees.ours}`,
    `other: ${trees.other}`,
    ...[head, ...rows].map((row) =>
      row
        .map((cell, at) => cell.padEnd(WIDTHS[at] ?? 0))
        .join(' ')
        .trimEnd(),
    ),
  ].join('\n');
}

const WIDTHS = [17, 8, 8, 22, 8, 8, 22];

function cells({ name, ours, other, ratio, cpuRatio: cpu }: Measured): string[] {
  const rates = [String(ours.perSecond), String(other.perSecond)];
  return [name, ...rates, shown(ratio), String(ours.cpu), String(other.cpu), shown(cpu)];
}

export function shown({ ratio, low, high }: Estimate): string {
  return `${ratio.toFixed(3)} (${low.toFixed(3)}–${high.toFixed(3)})`;
}

function medianTurn(turns: readonly RoundResult[]): RoundResult {
  const perSecond = median(turns.map((turn) => turn.perSecond));
  return roundedTurn({ perSecond, cpu: median(turns.map((turn) => turn.cpu)) });
}

function roundedTurn({ perSecond, cpu }: RoundResult): RoundResult {
  return { perSecond: rounded(perSecond), cpu: rounded(cpu) };
}

function roundedEstimate({ ratio, low, high }: Estimate): Estimate {
  return { ratio: rounded(ratio), low: rounded(low), high: rounded(high) };
}
