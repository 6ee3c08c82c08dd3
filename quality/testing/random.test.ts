import { describe, expect, test } from 'vitest';
import { createRandom, type Random } from './random.ts';

const draw = (random: Random, count: number) => Array.from({ length: count }, () => random.next());

describe('the seeded generator', () => {
  test('the same seed gives the same plan, another seed another one', () => {
    expect(draw(createRandom('one'), 50)).toEqual(draw(createRandom('one'), 50));
    expect(draw(createRandom('one'), 50)).not.toEqual(draw(createRandom('two'), 50));
  });

  test('a fork does not depend on what its parent or its siblings have drawn', () => {
    const parent = createRandom('seed');
    const before = draw(parent.fork('client 1'), 20);
    draw(parent, 7);
    draw(parent.fork('client 2'), 3);
    expect(draw(parent.fork('client 1'), 20)).toEqual(before);
    expect(draw(parent.fork('client 2'), 20)).not.toEqual(before);
  });

  test('numbers are spread evenly over their range, both ends included', () => {
    const random = createRandom('spread');
    const counts = new Array<number>(10).fill(0);
    for (let i = 0; i < 20_000; i++) {
      const number = random.integer(5, 14);
      counts[number - 5] = (counts[number - 5] ?? 0) + 1;
    }
    expect(counts).toHaveLength(10);
    for (const count of counts) expect(Math.abs(count - 2000)).toBeLessThan(250);
    for (const number of draw(random, 1000)) {
      expect(number).toBeGreaterThanOrEqual(0);
      expect(number).toBeLessThan(1);
    }
  });

  test('picking from nothing is refused', () => {
    expect(() => createRandom('x').pick([])).toThrow(RangeError);
  });
});
