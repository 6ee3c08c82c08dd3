import { expect, test } from 'vitest';
import { createSlabPool } from './slab-pool.ts';

test('a slab is not given out while somebody holds it, and is used again afterwards', () => {
  const slabPool = createSlabPool();
  const borrower = { holding: true };
  const slab = slabPool.take();
  slabPool.lend(slab, borrower);
  const others = Array.from({ length: 20 }, () => slabPool.take());
  expect(others.includes(slab)).toBe(false);
  expect(new Set(others).size).toBe(20);
  borrower.holding = false;
  expect(slabPool.take() === slab).toBe(true);
  expect(slabPool.take() === slab).toBe(false);
});

test('slow borrowers do not hide one that is done, and who cannot tell never gives back', () => {
  const slabPool = createSlabPool();
  const lent = Array.from({ length: 30 }, () => slabPool.take());
  for (const slab of lent.slice(0, 29)) slabPool.lend(slab, { holding: true });
  slabPool.lend(lent[29] ?? Buffer.alloc(0), { holding: false });
  const taken = Array.from({ length: 10 }, () => slabPool.take());
  expect(taken.filter((slab) => lent.includes(slab)).map((slab) => lent.indexOf(slab))).toEqual([29]);

  const unknown = slabPool.take();
  slabPool.lend(unknown, { holding: undefined });
  expect(Array.from({ length: 40 }, () => slabPool.take()).includes(unknown)).toBe(false);
});

test('neither free nor lent slabs are kept without bound', () => {
  const slabPool = createSlabPool();
  const many = Array.from({ length: 300 }, () => slabPool.take());
  for (const slab of many.slice(0, 100)) slabPool.give(slab);
  for (const slab of many.slice(100)) slabPool.lend(slab, { holding: false });
  const known = new Set(many);
  const again = Array.from({ length: 300 }, () => slabPool.take()).filter((slab) => known.has(slab));
  expect(again.length).toBeLessThanOrEqual(80);
  expect(new Set(again).size).toBe(again.length);
});
