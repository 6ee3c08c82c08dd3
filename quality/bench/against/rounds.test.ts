import { expect, test } from 'vitest';
import { cpuRatio, type PairedRound, rateRatio, runInTurn } from './rounds.ts';

function fakeSide(name: string, perSecond: number, cpuPerRequest: number, turns: string[]) {
  let spent = 0;
  return {
    cpu: () => spent,
    async run(seconds: number) {
      turns.push(name);
      const count = perSecond * seconds;
      spent += count * cpuPerRequest;
      return { perSecond, count };
    },
  };
}

test('the sides take turns, each as often first as second, and those that warm up do not count', async () => {
  const turns: string[] = [];
  const sides = {
    ours: fakeSide('ours', 300, 0.002, turns),
    other: fakeSide('other', 200, 0.001, turns),
  };
  const reports: number[] = [];
  const rounds = await runInTurn(sides, { rounds: 4, seconds: 2 }, (done) => reports.push(done.length));
  expect(turns.slice(-8).join(' ')).toBe('ours other other ours ours other other ours');
  expect(turns.length).toBeGreaterThan(8);
  expect(reports).toEqual([1, 2, 3, 4]);
  expect(rounds).toHaveLength(4);
  expect(rateRatio(rounds).ratio).toBeCloseTo(1.5);
  expect(cpuRatio(rounds).ratio).toBeCloseTo(2);
  expect(rounds[0]?.ours.cpu).toBeCloseTo(2000);
});

test('rounds too short for the kernel to count their CPU are left out of its ratio', () => {
  const round = (ours: number, other: number): PairedRound => ({
    ours: { perSecond: 10, cpu: ours },
    other: { perSecond: 10, cpu: other },
  });
  expect(cpuRatio([round(30, 20), round(0, 20), round(30, 20)]).ratio).toBeCloseTo(1.5);
  expect(cpuRatio([round(0, 0)]).ratio).toBeNaN();
});
