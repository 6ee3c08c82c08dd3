import { describe, expect, test } from 'vitest';
import { Findings } from '../report.ts';
import { checkClasses, noteClass, type PossibleClasses } from './classes.ts';

function check(storageClass: number, isCold: boolean, ...classes: number[]) {
  const findings = new Findings();
  const object = { key: 'k', class: storageClass, blob_id: 'b' };
  checkClasses([object], new Set(isCold ? ['b'] : []), new Map([['k', new Set(classes)]]), findings);
  return { lost: findings.count('lost'), misplaced: findings.count('misplaced') };
}

describe('what is found', () => {
  test('agrees', () => {
    expect(check(0, false, 0)).toEqual({ lost: 0, misplaced: 0 });
    expect(check(3, true, 2, 3)).toEqual({ lost: 0, misplaced: 0 });
  });

  test('has bytes in the wrong tier', () => {
    expect(check(2, false, 2)).toEqual({ lost: 0, misplaced: 1 });
    expect(check(1, true, 1)).toEqual({ lost: 0, misplaced: 1 });
  });

  test('has a class that nobody may have given it', () => {
    expect(check(2, true, 3)).toEqual({ lost: 1, misplaced: 0 });
  });
});

test('an unknown change adds a class, an acknowledged one decides, a refused one says nothing', () => {
  const possible: PossibleClasses = new Map();
  noteClass(possible, 'k', 0, 'acknowledged');
  noteClass(possible, 'k', 2, 'unknown');
  noteClass(possible, 'k', 3, 'refused');
  expect(possible.get('k')).toEqual(new Set([0, 2]));
  noteClass(possible, 'k', 1, 'acknowledged');
  expect(possible.get('k')).toEqual(new Set([1]));
});
