import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Findings } from '../report.ts';
import type { Outcome, Read, Write } from './history.ts';
import { checkVersions, type Version, type VersionHistory } from './versions.ts';

function write(hash: string, begunAt: number, endedAt: number, outcome: Outcome = 'acknowledged'): Write {
  return { key: 'k', hash, size: 1, mode: 'overwrite', begunAt, endedAt, outcome };
}
function read(hash: string, putTime: number, begunAt: number, endedAt: number, reader = 1): Read {
  return { reader, key: 'k', hash, putTime: BigInt(putTime), begunAt, endedAt };
}
function version(hash: string, putTime: number): Version {
  return { key: 'k', hash, putTime: BigInt(putTime) };
}

function check(history: Partial<VersionHistory>): Record<string, unknown> {
  const findings = new Findings();
  checkVersions({ writes: [], reads: [], versions: [], ...history }, findings);
  const { problems: _, ...counts } = findings.toReport();
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0));
}

describe('histories that are in order', () => {
  test('one after the other, read between', () => {
    expect(
      check({
        writes: [write('a', 1, 2), write('b', 5, 6)],
        reads: [read('a', 15, 3, 4), read('b', 55, 7, 8)],
        versions: [version('b', 55), version('a', 15)],
      }),
    ).toEqual({});
  });

  test('writes at the same time in either order', () => {
    const writes = [write('a', 1, 5), write('b', 2, 4)];
    expect(check({ writes, versions: [version('a', 30), version('b', 25)] })).toEqual({});
    expect(check({ writes, versions: [version('a', 25), version('b', 30)] })).toEqual({});
  });

  test('a write of unknown outcome may come late, or never', () => {
    const writes = [write('u', 1, 2, 'unknown'), write('a', 3, 4)];
    expect(check({ writes, versions: [version('a', 35), version('u', 50)] })).toEqual({});
    expect(check({ writes, versions: [version('a', 35)] })).toEqual({});
  });

  test('reads during a write see the old or the new version', () => {
    const writes = [write('a', 1, 2), write('b', 5, 9)];
    const versions = [version('a', 15), version('b', 60)];
    expect(check({ writes, versions, reads: [read('a', 15, 6, 7), read('b', 60, 6, 7, 2)] })).toEqual({});
  });

  test('whatever was made by a real register', () => {
    fc.assert(
      fc.property(registerHistory(), (history) => {
        expect(check(history)).toEqual({});
      }),
    );
  });
});

describe('histories that are not', () => {
  test('an acknowledged write that is no version is lost', () => {
    expect(check({ writes: [write('a', 1, 2), write('b', 3, 4)], versions: [version('b', 35)] })).toEqual({
      lost: 1,
    });
  });

  test('a write that took effect twice', () => {
    expect(check({ writes: [write('a', 1, 2)], versions: [version('a', 15), version('a', 18)] })).toEqual({
      duplicated: 1,
    });
  });

  test('two versions with one put time', () => {
    expect(
      check({ writes: [write('a', 1, 5), write('b', 1, 5)], versions: [version('a', 15), version('b', 15)] }),
    ).toEqual({ duplicated: 1 });
  });

  test('a version that nobody sent, or that was refused', () => {
    expect(check({ versions: [version('x', 15)] })).toEqual({ torn: 1 });
    expect(check({ writes: [write('a', 1, 2, 'refused')], versions: [version('a', 15)] })).toEqual({
      uncommitted: 1,
    });
  });

  test('a write whose put time is before that of one that ended before it began', () => {
    expect(
      check({ writes: [write('a', 1, 2), write('b', 3, 4)], versions: [version('a', 35), version('b', 15)] }),
    ).toEqual({ stale: 1 });
  });

  test('a read of the old version after the new one was acknowledged', () => {
    expect(
      check({
        writes: [write('a', 1, 2), write('b', 3, 4)],
        versions: [version('a', 15), version('b', 35)],
        reads: [read('a', 15, 5, 6)],
      }),
    ).toEqual({ stale: 1 });
  });

  test('a read of the old version after another reader saw the new one', () => {
    expect(
      check({
        writes: [write('a', 1, 2), write('b', 3, 9)],
        versions: [version('a', 15), version('b', 35)],
        reads: [read('b', 35, 4, 5, 1), read('a', 15, 6, 7, 2)],
      }),
    ).toEqual({ stale: 1 });
  });

  test('a reader that goes back counts by itself', () => {
    expect(
      check({
        writes: [write('a', 1, 2), write('b', 3, 9)],
        versions: [version('a', 15), version('b', 35)],
        reads: [read('b', 35, 4, 5), read('a', 15, 6, 7)],
      }),
    ).toEqual({ stale: 2 });
  });

  test('a read of what was never committed, of a wrong put time, of the future', () => {
    const writes = [write('a', 1, 2), write('u', 3, 4, 'unknown')];
    const versions = [version('a', 15)];
    expect(check({ writes, versions, reads: [read('u', 35, 5, 6)] })).toEqual({ uncommitted: 1 });
    expect(check({ writes, versions, reads: [read('a', 16, 5, 6)] })).toEqual({ torn: 1 });
    expect(
      check({ writes: [write('a', 8, 9)], versions: [version('a', 85)], reads: [read('a', 85, 5, 6)] }),
    ).toEqual({ stale: 1 });
  });

  test('swapping the versions of any two writes that did not overlap is noticed', () => {
    fc.assert(
      fc.property(registerHistory(), (history) => {
        const [first, second] = history.versions;
        const writes = history.writes.filter((each) => [first?.hash, second?.hash].includes(each.hash));
        fc.pre(first !== undefined && second !== undefined);
        fc.pre(writes.every((each) => each.outcome === 'acknowledged'));
        fc.pre(!overlap(writes[0], writes[1]));
        const swapped = [
          { ...first, putTime: second.putTime },
          { ...second, putTime: first.putTime },
          ...history.versions.slice(2),
        ];
        expect(check({ ...history, reads: [], versions: swapped })).not.toEqual({});
      }),
    );
  });
});

function overlap(one: Write | undefined, other: Write | undefined): boolean {
  if (one === undefined || other === undefined) return true;
  return one.endedAt >= other.begunAt && other.endedAt >= one.begunAt;
}

/** Clients on a register that takes each operation at one moment between its begin and its end. */
function registerHistory(): fc.Arbitrary<VersionHistory> {
  const operation = fc.record({
    moment: fc.integer({ min: 100, max: 10_000 }),
    before: fc.integer({ min: 1, max: 90 }),
    after: fc.integer({ min: 1, max: 90 }),
    kind: fc.constantFrom('write', 'write', 'read', 'unknown', 'nothing'),
  });
  return fc
    .uniqueArray(operation, { minLength: 2, maxLength: 40, selector: ({ moment }) => moment })
    .map((operations) => {
      const history = { writes: [] as Write[], reads: [] as Read[], versions: [] as Version[] };
      let current: Version | undefined;
      let reader = 0;
      for (const { moment, before, after, kind } of operations.toSorted((a, b) => a.moment - b.moment)) {
        const [begunAt, endedAt, hash] = [moment - before, moment + after, `h${moment}`];
        if (kind === 'read') {
          if (current === undefined) continue;
          history.reads.push({ reader: reader++, begunAt, endedAt, ...current });
          continue;
        }
        const outcome = kind === 'write' ? 'acknowledged' : 'unknown';
        // Where the answer was lost the client gives up, perhaps before its write took effect.
        history.writes.push(write(hash, begunAt, kind === 'write' ? endedAt : begunAt + 1, outcome));
        if (kind === 'nothing') continue;
        current = version(hash, moment);
        history.versions.push(current);
      }
      return history;
    });
}
