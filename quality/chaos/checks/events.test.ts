import { describe, expect, test } from 'vitest';
import { Findings } from '../report.ts';
import { type AddedEvent, type Arrival, checkEvents } from './events.ts';

const added = (sequence: number, outcome: AddedEvent['outcome'] = 'committed'): AddedEvent => ({
  id: `e${sequence}`,
  entity: 'cam',
  body: `${sequence}`,
  sequence,
  outcome,
});
const arrival = (sequence: number, at: number, overrides: Partial<Arrival> = {}): Arrival => ({
  id: `e${sequence}`,
  entity: 'cam',
  body: `${sequence}`,
  sequence,
  at,
  ...overrides,
});

function check(events: AddedEvent[], arrivals: Arrival[], kills: number[] = []) {
  const findings = new Findings();
  const repeated = checkEvents(events, arrivals, kills, findings);
  return { repeated, good: findings.good, report: findings.toReport() };
}

describe('events', () => {
  test('that all came in order are good', () => {
    expect(check([added(1), added(2)], [arrival(1, 10), arrival(2, 20)])).toMatchObject({
      repeated: 0,
      good: true,
    });
  });

  test('that never came are lost, unless nobody knows whether they were added', () => {
    expect(check([added(1)], []).report).toMatchObject({ lost: 1 });
    expect(check([added(1, 'unknown')], []).good).toBe(true);
  });

  test('out of order are stale, and a gap is too', () => {
    expect(check([added(1), added(2)], [arrival(2, 10), arrival(1, 20)]).report).toMatchObject({ stale: 2 });
    expect(check([added(1, 'unknown'), added(2)], [arrival(2, 10)]).report).toMatchObject({ stale: 1 });
  });

  test('that come twice are fine only where something was killed meanwhile', () => {
    const arrivals = [arrival(1, 1000), arrival(1, 30_000)];
    expect(check([added(1)], arrivals, [2000])).toMatchObject({ repeated: 1, good: true });
    expect(check([added(1)], arrivals, [25_000]).report).toMatchObject({ duplicated: 1 });
    expect(check([added(1)], arrivals).report).toMatchObject({ duplicated: 1 });
  });

  test('that come again after a later one of their entity are stale', () => {
    const arrivals = [arrival(1, 1000), arrival(2, 1100), arrival(1, 1200)];
    expect(check([added(1), added(2)], arrivals, [1050]).report).toMatchObject({ stale: 1 });
  });

  test('with other bytes are torn, and unknown ones were made up', () => {
    expect(check([added(1)], [arrival(1, 1, { body: 'x' })]).report).toMatchObject({ torn: 1 });
    expect(check([], [arrival(1, 1)]).report).toMatchObject({ uncommitted: 1 });
  });
});
