import { expect, test } from 'vitest';
import { createSlabs } from './slabs.ts';

test('a slab is not given out while somebody holds it, and is used again afterwards', () => {
  const slabs = createSlabs();
  const borrower = { holding: true };
  const slab = slabs.take();
  slabs.lend(slab, borrower);
  const others = Array.from({ length: 20 }, () => slabs.take());
  expect(others).not.toContain(slab);
  expect(new Set(others).size).toBe(20);
  borrower.holding = false;
  expect(slabs.take()).toBe(slab);
  expect(slabs.take()).not.toBe(slab);
});

test('slow borrowers do not hide one that is done, and who cannot tell never gives back', () => {
  const slabs = createSlabs();
  const lent = Array.from({ length: 30 }, () => slabs.take());
  for (const slab of lent.slice(0, 29)) slabs.lend(slab, { holding: true });
  slabs.lend(lent[29] ?? Buffer.alloc(0), { holding: false });
  const taken = Array.from({ length: 10 }, () => slabs.take());
  expect(taken.filter((slab) => lent.includes(slab))).toEqual([lent[29]]);

  const unknown = slabs.take();
  slabs.lend(unknown, { holding: undefined });
  expect(Array.from({ length: 40 }, () => slabs.take())).not.toContain(unknown);
});

test('neither free nor lent slabs are kept without bound', () => {
  const slabs = createSlabs();
  const many = Array.from({ length: 300 }, () => slabs.take());
  for (const slab of many.slice(0, 100)) slabs.give(slab);
  for (const slab of many.slice(100)) slabs.lend(slab, { holding: false });
  const known = new Set(many);
  const again = Array.from({ length: 300 }, () => slabs.take()).filter((slab) => known.has(slab));
  expect(again.length).toBeLessThanOrEqual(80);
  expect(new Set(again).size).toBe(again.length);
});
