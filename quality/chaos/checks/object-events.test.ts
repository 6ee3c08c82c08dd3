import { describe, expect, test } from 'vitest';
import { Findings } from '../report.ts';
import { type Change, checkObjectEvents, type ReportedChange } from './object-events.ts';

const put = (hash: string, outcome: Change['outcome'] = 'acknowledged'): Change => ({
  key: 'k',
  hash,
  outcome,
});
const removal: Change = { key: 'k', hash: undefined, outcome: 'acknowledged' };
const told = (
  number: number,
  event: ReportedChange['event'],
  hash: string,
  more: Partial<ReportedChange> = {},
): ReportedChange => ({
  id: `e${number}`,
  key: 'k',
  event,
  hash,
  previous: undefined,
  number,
  at: number * 1000,
  sequence: String(number).padStart(5, '0'),
  ...more,
});
const CREATED = told(1, 'created', 'a');
const OVERWRITTEN = told(2, 'overwritten', 'b', { previous: 'a' });
const DELETED = told(3, 'deleted', 'b');

function check(
  changes: Change[],
  arrivals: ReportedChange[],
  stored: Record<string, string> = {},
  kills: number[] = [],
) {
  const findings = new Findings();
  const record = { changes, arrivals, stored: new Map(Object.entries(stored)), kills };
  const repeated = checkObjectEvents(record, findings);
  return { repeated, good: findings.good, report: findings.toReport() };
}

describe('events of a key', () => {
  const changes = [put('a'), put('b'), removal];

  test('that tell every change in order are good', () => {
    expect(check(changes, [CREATED, OVERWRITTEN, DELETED])).toMatchObject({ good: true, repeated: 0 });
    expect(check([put('a')], [CREATED], { k: 'a' }).good).toBe(true);
  });

  test('are lost wherever one is missing, at the end too', () => {
    const renumbered = (event: ReportedChange, number: number) => ({ ...event, number });
    expect(check(changes, [renumbered(OVERWRITTEN, 1), renumbered(DELETED, 2)]).report.lost).toBeGreaterThan(
      0,
    );
    expect(check(changes, [CREATED, renumbered(DELETED, 2)]).report.lost).toBeGreaterThan(0);
    expect(check(changes, [CREATED, OVERWRITTEN]).report.lost).toBeGreaterThan(0);
    expect(check([put('a')], [], { k: 'a' }).report.lost).toBeGreaterThan(0);
    expect(check([put('a')], []).report.lost).toBeGreaterThan(0);
  });

  test('may or may not tell what nobody knows of', () => {
    expect(check([put('a'), put('b', 'unknown')], [CREATED], { k: 'a' }).good).toBe(true);
    expect(check([put('a'), put('b', 'unknown')], [CREATED, OVERWRITTEN], { k: 'b' }).good).toBe(true);
  });

  test('out of order are stale', () => {
    expect(check(changes, [OVERWRITTEN, CREATED, DELETED]).report).toMatchObject({
      stale: expect.any(Number),
    });
    const later = { ...OVERWRITTEN, sequence: '00000' };
    expect(check(changes, [CREATED, later, DELETED]).report).toMatchObject({ stale: 1 });
  });

  test('under two ids are told twice; under one id only if something was killed', () => {
    const second = { ...OVERWRITTEN, id: 'other', number: 3 };
    const last = { ...DELETED, number: 4 };
    expect(check(changes, [CREATED, OVERWRITTEN, second, last]).report).toMatchObject({ duplicated: 1 });
    const again = { ...CREATED, at: 9000 };
    expect(check(changes, [CREATED, again, OVERWRITTEN, DELETED]).report).toMatchObject({ duplicated: 1 });
    expect(check(changes, [CREATED, again, OVERWRITTEN, DELETED], {}, [2000])).toMatchObject({
      good: true,
      repeated: 1,
    });
  });

  test('of content that nobody sent were made up', () => {
    expect(check([], [CREATED, { ...DELETED, number: 2, hash: 'a' }]).report).toMatchObject({
      uncommitted: 2,
    });
  });
});
