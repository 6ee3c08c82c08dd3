import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createWriteBudget, PART_BYTES, SLAB_BYTES } from './budget.ts';
import { PartBuffer } from './part-buffer.ts';

const filled = (length: number, seed: number): Buffer => {
  const bytes = Buffer.allocUnsafe(length);
  for (let at = 0; at < length; at++) bytes[at] = (at * 31 + seed) & 0xff;
  return bytes;
};

describe('part buffer', () => {
  test('gives back what was put in, whatever the sizes of the chunks', () => {
    const budget = createWriteBudget(4 * SLAB_BYTES);
    const size = fc.oneof(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 0, max: 700_000 }));
    fc.assert(
      fc.property(fc.array(size, { maxLength: 60 }), (sizes) => {
        const part = new PartBuffer(budget);
        const chunks = sizes.map(filled);
        const expected = Buffer.concat(chunks);
        let taken = 0;
        for (const chunk of chunks) taken += part.append(chunk, 0);
        expect(taken).toBe(Math.min(expected.length, PART_BYTES));
        expect(part.length).toBe(taken);
        expect(Buffer.concat(part.chunks()).equals(expected.subarray(0, taken))).toBe(true);
        part.release();
      }),
      { numRuns: 60 },
    );
  });

  test('a full part takes nothing more', () => {
    const part = new PartBuffer(createWriteBudget(0));
    expect(part.append(filled(PART_BYTES + 5, 1), 0)).toBe(PART_BYTES);
    expect(part.full).toBe(true);
    expect(part.append(filled(5, 2), 0)).toBe(0);
    expect(part.chunks().reduce((sum, chunk) => sum + chunk.length, 0)).toBe(PART_BYTES);
  });

  test('a full part becomes twice as large while the budget lasts, once, and gives that back', () => {
    const budget = createWriteBudget(PART_BYTES);
    const [part, other] = [new PartBuffer(budget), new PartBuffer(budget)];
    part.append(filled(PART_BYTES, 1), 0);
    expect(part.extend()).toBe(true);
    expect(part.extend()).toBe(false);
    expect(other.extend()).toBe(false);
    expect(part.append(filled(PART_BYTES + 5, 2), 0)).toBe(PART_BYTES);
    expect(part.full).toBe(true);
    expect(Buffer.concat(part.chunks()).subarray(PART_BYTES).equals(filled(PART_BYTES, 2))).toBe(true);
    part.release();
    part.release();
    expect(budget.reservedParts).toBe(0);
    expect(other.extend()).toBe(true);
  });

  test('what is copied lies in as few slabs as hold it', () => {
    let taken = 0;
    const inner = createWriteBudget(0);
    const part = new PartBuffer({
      ...inner,
      takeSlab() {
        taken++;
        return inner.takeSlab();
      },
    });
    const [large, crumb] = [filled(33_000, 4), filled(5, 5)];
    for (let count = 0; count < 200; count++) for (const chunk of [large, crumb]) part.append(chunk, 0);
    const expected = Buffer.concat(Array.from({ length: 200 }, () => [large, crumb]).flat());
    const kept = 8 * (large.length + crumb.length);
    expect(taken).toBe(Math.ceil((expected.length - kept) / SLAB_BYTES));
    expect(Buffer.concat(part.chunks()).equals(expected)).toBe(true);
  });

  test('small bodies are not copied; a million crumbs hold few objects', () => {
    const budget = createWriteBudget(0);
    const small = new PartBuffer(budget);
    const chunk = filled(4096, 3);
    small.append(chunk, 0);
    expect(small.chunks()[0]).toBe(chunk);
    const crumbs = new PartBuffer(budget);
    for (let count = 0; count < 1_000_000; count++) crumbs.append(chunk.subarray(7, 8), 0);
    expect(crumbs.chunks().length).toBeLessThan(20);
    expect(crumbs.length).toBe(1_000_000);
  });
});

describe('chunks that are given away', () => {
  const freed = (chunk: Uint8Array) => chunk.buffer.byteLength === 0;

  test('are freed when the part is, or once they are copied', () => {
    const part = new PartBuffer(createWriteBudget(0), { freeChunks: true });
    const large = filled(64 * 1024, 6);
    const crumbs = Array.from({ length: 40 }, (_, index) => new Uint8Array(filled(9000, index)));
    const expected = Buffer.concat([large, ...crumbs]);
    for (const chunk of [large, ...crumbs]) part.append(chunk, 0);
    expect(Buffer.concat(part.chunks()).equals(expected)).toBe(true);
    expect(crumbs.map(freed).lastIndexOf(false)).toBe(14);
    part.release();
    expect([large, ...crumbs].every(freed)).toBe(true);
  });

  test('stay where something else lies in the same memory', () => {
    const part = new PartBuffer(createWriteBudget(0), { freeChunks: true });
    const whole = filled(100_000, 7);
    const before = Buffer.from(whole);
    const pooled = Buffer.allocUnsafe(4000);
    const split = filled(PART_BYTES, 8);
    for (const chunk of [whole.subarray(1), whole.subarray(0, 50_000), pooled]) part.append(chunk, 0);
    expect(part.append(split, 0)).toBeLessThan(split.length);
    part.release();
    expect(whole.equals(before)).toBe(true);
    expect([pooled, split].some(freed)).toBe(false);
  });

  test('slabs are used again, never freed', () => {
    const budget = createWriteBudget(PART_BYTES);
    for (let count = 0; count < 2; count++) {
      const part = new PartBuffer(budget, { freeChunks: true });
      for (let at = 0; at < 3 * SLAB_BYTES; at += 10_000) part.append(new Uint8Array(filled(10_000, at)), 0);
      part.release();
    }
    expect(budget.takeSlab()).toHaveLength(SLAB_BYTES);
  });
});

describe('write budget', () => {
  test('grants parts while it lasts, and again after a release', () => {
    const budget = createWriteBudget(2 * PART_BYTES);
    expect([budget.tryReserve(), budget.tryReserve(), budget.tryReserve()]).toEqual([true, true, false]);
    budget.release();
    expect(budget.tryReserve()).toBe(true);
    expect(budget.reservedParts).toBe(2);
  });

  test('slabs are used again, but no more are kept than the budget', () => {
    const budget = createWriteBudget(SLAB_BYTES);
    const [one, other] = [budget.takeSlab(), budget.takeSlab()];
    budget.giveSlab(one);
    budget.giveSlab(other);
    expect(budget.takeSlab()).toBe(one);
    expect(budget.takeSlab()).not.toBe(other);
  });
});
