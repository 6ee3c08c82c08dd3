import { describe, expect, test } from 'vitest';
import { Findings } from '../report.ts';
import type { Write } from './history.ts';
import { checkObjects, type FoundObject } from './objects.ts';

/** Time 1 of these histories is this millisecond. */
const START = 1_800_000_000_000;
const SECOND = 1000;

function write(hash: string, begun: number, more: Partial<Write> = {}): Write {
  return {
    key: 'k',
    hash,
    size: 10,
    mode: 'overwrite',
    outcome: 'acknowledged',
    begunAt: START + begun * SECOND,
    endedAt: START + (begun + 1) * SECOND,
    ...more,
  };
}

function object(hash: string, at: number, more: Partial<FoundObject> = {}): FoundObject {
  const putTime = BigInt(START + at * SECOND) * 10_000n;
  return { hash, fsize: 10, putTime, bytesHash: hash, bytesSize: 10, ...more };
}

function check(writes: Write[], found: FoundObject | undefined, key = 'k'): Record<string, unknown> {
  const findings = new Findings();
  checkObjects(writes, new Map(found === undefined ? [] : [[key, found]]), findings);
  const { problems: _, ...counts } = findings.toReport();
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0));
}

describe('what may be there', () => {
  test('the last acknowledged write', () => {
    expect(check([write('a', 1), write('b', 3)], object('b', 3.5))).toEqual({});
  });

  test('any of two that ran at the same time', () => {
    const writes = [write('a', 1), write('b', 1.5)];
    expect(check(writes, object('a', 1.8))).toEqual({});
    expect(check(writes, object('b', 1.9))).toEqual({});
  });

  test('a write of unknown outcome that took effect later', () => {
    expect(check([write('u', 1, { outcome: 'unknown' }), write('a', 2)], object('u', 2.5))).toEqual({});
  });

  test('nothing, where nothing was acknowledged', () => {
    expect(
      check([write('u', 1, { outcome: 'unknown' }), write('r', 2, { outcome: 'refused' })], undefined),
    ).toEqual({});
  });

  test('a new object whose repetition was acknowledged, with the put time of the first try', () => {
    const first = write('a', 1, { mode: 'insert', outcome: 'unknown' });
    const second = write('a', 5, { mode: 'insert' });
    expect(check([first, second], object('a', 1.5))).toEqual({});
  });
});

describe('what may not be there', () => {
  test('nothing, where a write was acknowledged', () => {
    expect(check([write('a', 1)], undefined)).toEqual({ lost: 1 });
  });

  test('an older write', () => {
    expect(check([write('a', 1), write('b', 3)], object('a', 1.5))).toEqual({ lost: 1 });
  });

  test('a write of unknown outcome that took effect before the acknowledged one began', () => {
    expect(check([write('u', 1, { outcome: 'unknown' }), write('a', 3)], object('u', 2))).toEqual({
      lost: 1,
    });
  });

  test('another content than the one acknowledged as new', () => {
    const acknowledged = write('a', 1, { mode: 'insert' });
    const broken = write('b', 2, { mode: 'insert', outcome: 'unknown' });
    expect(check([acknowledged, broken], object('b', 2.5))).toEqual({ lost: 1 });
  });

  test('two contents, both acknowledged as new', () => {
    const writes = [write('a', 1, { mode: 'insert' }), write('b', 2, { mode: 'insert' })];
    expect(check(writes, object('a', 1.5))).toEqual({ duplicated: 1, lost: 1 });
  });

  test('bytes that are not those of the record', () => {
    expect(check([write('a', 1)], object('a', 1.5, { bytesHash: 'b' }))).toEqual({ torn: 1 });
    expect(check([write('a', 1)], object('a', 1.5, { bytesSize: 9 }))).toEqual({ torn: 1 });
  });

  test('bytes that were sent for no key, or for another one', () => {
    expect(check([], object('x', 1))).toEqual({ torn: 1 });
    expect(check([write('a', 1, { key: 'other', outcome: 'unknown' })], object('a', 1))).toEqual({ torn: 1 });
  });

  test('what was refused', () => {
    expect(check([write('a', 1, { outcome: 'refused' })], object('a', 1.5))).toEqual({ uncommitted: 1 });
  });
});
