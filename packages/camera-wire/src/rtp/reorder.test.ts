import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Reorder } from './reorder.ts';

const OPTIONS = { most: 32, patienceMs: 300 };
const payload = (number: number) => Buffer.from(String(number));
const numbers = (payloads: readonly Buffer[]) => payloads.map((each) => Number(String(each)));

/** Numbers from 0 on, as packets whose own numbers begin at `first` and wrap. */
function pass(reorder: Reorder, order: readonly number[], first = 0, now = () => 0): number[] {
  return order.flatMap((number) => numbers(reorder.add((first + number) % 65_536, payload(number), now())));
}

/** Each at most `reach` places from where it belongs. */
const shuffled = (count: number, reach: number) =>
  fc.array(fc.integer({ min: 0, max: reach }), { minLength: count, maxLength: count }).map((shifts) =>
    shifts
      .map((shift, number) => ({ number, at: number + shift }))
      .toSorted((a, b) => a.at - b.at || a.number - b.number)
      .map(({ number }) => number),
  );

describe('packets', () => {
  test('come out in order and once, whatever the order in which they came, also where numbers wrap', () => {
    fc.assert(
      fc.property(
        shuffled(200, 10),
        fc.integer({ min: 0, max: 65_535 }),
        fc.nat(199),
        (order, first, twice) => {
          // The first one that comes is where it begins.
          const inOrder = [0, ...order.filter((number) => number !== 0)];
          const doubled = [
            ...inOrder.slice(0, twice),
            ...inOrder.slice(0, twice + 1),
            ...inOrder.slice(twice),
          ];
          const reorder = new Reorder(OPTIONS);
          expect(pass(reorder, doubled, first)).toEqual(Array.from({ length: 200 }, (_, number) => number));
          expect(reorder.held).toBe(0);
        },
      ),
    );
  });

  test('that never come are left, and what is held is bounded', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 1, max: 299 }), { maxLength: 100 }), (missing) => {
        const reorder = new Reorder(OPTIONS);
        const sent = Array.from({ length: 400 }, (_, number) => number).filter(
          (number) => !missing.includes(number),
        );
        const out: number[] = [];
        for (const number of sent) {
          out.push(...pass(reorder, [number]));
          expect(reorder.held).toBeLessThanOrEqual(OPTIONS.most);
        }
        expect(out).toEqual(sent);
        expect(reorder.counts).toEqual({ lost: missing.length, late: 0 });
      }),
    );
  });

  test('are not waited for longer than there is patience', () => {
    const clock = { now: 0 };
    const reorder = new Reorder(OPTIONS);
    const at = () => clock.now;
    expect(pass(reorder, [0, 2], 0, at)).toEqual([0]);
    clock.now = 301;
    expect(pass(reorder, [3], 0, at)).toEqual([2, 3]);
    expect(pass(reorder, [1], 0, at)).toEqual([]);
    expect(reorder.counts).toEqual({ lost: 1, late: 1 });
  });

  test('of a sender that begins anew are followed from the second on; a single stray one is not', () => {
    const reorder = new Reorder(OPTIONS);
    expect(pass(reorder, [0, 1, 2])).toEqual([0, 1, 2]);
    expect(pass(reorder, [30_000, 3, 4])).toEqual([3, 4]);
    expect(pass(reorder, [40_000, 40_001, 40_002])).toEqual([40_001, 40_002]);
  });

  test.each([2, 100, 129, 2000, 3000])('go on after a stray number that is %i ahead', (ahead) => {
    const clock = { now: 0 };
    const reorder = new Reorder(OPTIONS);
    const passed = pass(reorder, [0, 1, 2, 2 + ahead], 0, () => clock.now);
    const own = Array.from({ length: 4000 }, (_, number) => number + 3);
    for (const number of own) {
      clock.now += 10;
      passed.push(...pass(reorder, [number], 0, () => clock.now));
    }
    const missing = own.filter((number) => !passed.includes(number));
    expect(missing.length).toBeLessThanOrEqual(OPTIONS.most);
  });

  test('of any numbers at all hold no more than they may', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 65_535 }), { maxLength: 500 }), (order) => {
        const reorder = new Reorder(OPTIONS);
        for (const number of order) {
          reorder.add(number, payload(number), 0);
          expect(reorder.held).toBeLessThanOrEqual(OPTIONS.most);
        }
      }),
    );
  });
});
