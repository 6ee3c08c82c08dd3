import { createRandom } from '@millpond/testing';
import { beforeEach, describe, expect, test } from 'vitest';
import { type Fault, type InjectedFault, injectFaultsUntil, planFaults } from './nemesis.ts';

const done: string[] = [];
const struck: string[] = [];
beforeEach(() => {
  for (const list of [done, struck]) list.length = 0;
});
const fault = (name: string): Fault => ({
  name,
  strike: () => void done.push(`${name} strikes`),
  mend: () => void done.push(`${name} mends`),
  maxMs: 60,
});
const faults = ['a', 'b', 'c'].map(fault);
function first(seed: string): unknown[] {
  const plan = planFaults(createRandom(seed), faults);
  return Array.from({ length: 50 }, () => plan.next().value).map(({ fault, ...times }) => ({
    name: fault.name,
    ...times,
  }));
}
const quiet = { say: () => undefined, onStruck: ({ name }: InjectedFault) => void struck.push(name) };

describe('a plan of faults', () => {
  test('follows from its seed, and has all of them', () => {
    expect(first('x')).toEqual(first('x'));
    expect(first('x')).not.toEqual(first('y'));
    expect(first('x')).toEqual(
      expect.arrayContaining(faults.map(({ name }) => expect.objectContaining({ name }))),
    );
  });

  test('is mended when it ends, also if it is broken off', async () => {
    const plan = (lastsMs: number) => faults.map((each) => ({ fault: each, calmMs: 1, lastsMs }));
    const { signal } = new AbortController();
    await injectFaultsUntil(() => done.length >= 4, plan(1), { ...quiet, signal });
    expect(done.splice(0)).toEqual(['a strikes', 'a mends', 'b strikes', 'b mends']);
    expect(struck).toEqual(['a', 'b']);
    const broken = injectFaultsUntil(() => false, plan(60_000), {
      ...quiet,
      signal: AbortSignal.timeout(50),
    });
    await expect(broken).rejects.toThrow('aborted');
    expect(done.splice(0)).toEqual(['a strikes', 'a mends']);
  });
});
