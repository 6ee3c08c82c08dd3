import { expect, test } from 'vitest';
import { Findings } from './report.ts';

test('a good run shows five zeros', () => {
  const findings = new Findings();
  expect(findings.good).toBe(true);
  expect(findings.toReport()).toEqual({ lost: 0, torn: 0, duplicated: 0, orphans: 0, missing: 0 });
});

test('any fault makes a run bad, is counted, and is told', () => {
  const findings = new Findings();
  findings.add('stale', 'reader 1 went back');
  for (let i = 0; i < 30; i++) findings.add('lost', `object ${i}`);
  expect(findings.good).toBe(false);
  const report = findings.toReport();
  expect(report).toMatchObject({ lost: 30, torn: 0, stale: 1 });
  expect(report.problems).toHaveLength(20);
  expect(report.problems).toContain('stale: reader 1 went back');
});
