import { expect, test } from 'vitest';
import { Findings } from '../report.ts';
import { checkResidue, type NamedBlob } from './residue.ts';

function check(blobs: Record<string, number>, named: NamedBlob[], unfinished: string[] = []) {
  const findings = new Findings();
  checkResidue({ blobs: new Map(Object.entries(blobs)), unfinished, cold: new Set() }, named, findings);
  return { orphans: findings.count('orphans'), missing: findings.count('missing') };
}

const row = (id: string, size?: number): NamedBlob => ({ id, size, by: 'object' });

test('every blob has its row and every row its blob', () => {
  expect(check({ a: 1, b: 0 }, [row('a', 1), row('b')])).toEqual({ orphans: 0, missing: 0 });
});

test('a blob without a row, and a write that never ended', () => {
  expect(check({ a: 1, b: 2 }, [row('a', 1)])).toEqual({ orphans: 1, missing: 0 });
  expect(check({}, [], ['tmp/c'])).toEqual({ orphans: 1, missing: 0 });
});

test('a row without its blob, or with one of another size', () => {
  expect(check({}, [row('a', 1)])).toEqual({ orphans: 0, missing: 1 });
  expect(check({ a: 2 }, [row('a', 1)])).toEqual({ orphans: 0, missing: 1 });
});
