import { expect, test } from 'vitest';
import { driftOf, type Minute, percentile } from './drift.ts';

const minute = (number: number, change: Partial<Minute> = {}): Minute => ({
  p99Ms: 20,
  machineMs: 2,
  memory: { 'gateway 2': 100 },
  tableBytes: 1000 + (number % 2),
  blobs: 50,
  ...change,
});
const minutes = (change: (number: number) => Partial<Minute> = () => ({})) =>
  Array.from({ length: 120 }, (_, number) => minute(number, change(number)));

test('a run that stays as it is does not drift, whatever its first minutes were', () => {
  const calm = driftOf(minutes((number) => (number < 10 ? { p99Ms: 500, memory: { 'gateway 2': 10 } } : {})));
  expect(calm).toMatchObject({ p99: 0, memory: { 'gateway 2': 0 }, blobs: 0 });
  expect(Math.abs(calm.tables)).toBeLessThan(0.01);
});

test('what grows slowly is seen, in its own figure', () => {
  const leaking = driftOf(minutes((number) => ({ memory: { 'gateway 2': 100 + number / 5 } })));
  expect(leaking.memory['gateway 2']).toBeGreaterThan(0.1);
  expect(leaking.p99).toBe(0);
  expect(driftOf(minutes((number) => ({ p99Ms: 20 + number / 10 }))).p99).toBeGreaterThan(0.2);
  expect(driftOf(minutes((number) => ({ blobs: 50 + number }))).blobs).toBeGreaterThan(0.5);
});

test('a slower machine is not a slower server', () => {
  const slower = driftOf(minutes((number) => (number < 60 ? {} : { p99Ms: 30, machineMs: 3 })));
  expect(slower).toMatchObject({ p99: 0, machine: 0.5 });
});

test('minutes in which faults touched everything say nothing of the latency', () => {
  expect(driftOf(minutes((number) => (number % 3 === 0 ? {} : { p99Ms: undefined }))).p99).toBe(0);
  expect(driftOf(minutes(() => ({ p99Ms: undefined }))).p99).toBeUndefined();
});

test('a percentile is one of the values', () => {
  const hundred = Array.from({ length: 100 }, (_, number) => number);
  expect([
    percentile(hundred, 0.99),
    percentile(hundred, 0),
    percentile([7], 0.99),
    percentile([], 0.5),
  ]).toEqual([99, 0, 7, undefined]);
});
