import { expect, test } from 'vitest';
import { Findings } from '../report.ts';
import type { Write } from './history.ts';
import { checkRemovals } from './removals.ts';

const write = (key: string): Write => ({
  key,
  hash: 'h',
  size: 1,
  mode: 'insert',
  begunAt: 1,
  endedAt: 2,
  outcome: 'acknowledged',
});

test('what was deleted may not be there, what nobody deleted is still looked for', () => {
  const findings = new Findings();
  const removals = [
    { key: 'gone', outcome: 'acknowledged' },
    { key: 'back', outcome: 'acknowledged' },
    { key: 'perhaps', outcome: 'unknown' },
  ] as const;
  const writes = ['gone', 'back', 'perhaps', 'kept'].map(write);
  const found = new Map([
    ['back', {}],
    ['perhaps', {}],
    ['kept', {}],
  ]);
  expect(checkRemovals(removals, writes, found, findings)).toEqual([write('kept')]);
  expect(findings.toReport()).toMatchObject({
    lost: 1,
    problems: ['lost: back is there, but its deletion was acknowledged'],
  });
});
