import { parseExposition } from '@millpond/testing';
import { expect, test } from 'vitest';
import { counter, gauge, Metrics, Timer } from './metrics-registry.ts';

test('metrics are told with their labels, whatever these hold, beside those of the process', async () => {
  const metrics = new Metrics();
  metrics.add(
    gauge({ name: 'millpond_now', help: 'one\nand \\ two' }, () => 1.5),
    counter({ name: 'millpond_done_total', help: 'done', labels: ['by'] }, () =>
      Promise.resolve([
        { labels: { by: 'a"\\\n' }, value: 3 },
        { labels: { by: '' }, value: 2 ** 60 },
      ]),
    ),
  );
  const told = parseExposition(await metrics.text());
  expect(told.get('millpond_now')).toMatchObject({ type: 'gauge', samples: [{ labels: {}, value: 1.5 }] });
  expect(told.get('millpond_done_total')).toMatchObject({
    type: 'counter',
    samples: [
      { labels: { by: 'a"\\\n' }, value: 3 },
      { labels: { by: '' }, value: 2 ** 60 },
    ],
  });
  expect(told.get('process_resident_memory_bytes')?.samples).toHaveLength(1);
});

test('one that is not known, or fails, has no samples, and takes nothing from the others', async () => {
  const metrics = new Metrics();
  metrics.add(
    gauge({ name: 'millpond_unknown', help: 'h' }, () => undefined),
    gauge({ name: 'millpond_failing', help: 'h' }, () => Promise.reject(new Error('away'))),
    gauge({ name: 'millpond_known', help: 'h' }, () => 0),
  );
  const told = parseExposition(await metrics.text());
  const counted = ['unknown', 'failing', 'known'].map((name) => told.get(`millpond_${name}`)?.samples.length);
  expect(counted).toEqual([0, 0, 1]);
});

test('each is declared once, and by its kind', () => {
  const metrics = new Metrics();
  const one = gauge({ name: 'millpond_one', help: 'h' }, () => 1);
  metrics.add(one);
  expect(() => metrics.add(one)).toThrow('millpond_one is already registered');
  expect(() => gauge({ name: 'millpond_one_total', help: 'h' }, () => 1)).toThrow('only counters');
});

test('times are counted in the first bucket that holds them, and all of them in the last', async () => {
  const metrics = new Metrics();
  const timer = new Timer({ name: 'millpond_some_seconds', help: 'h', labels: ['kind'] });
  metrics.add(timer);
  for (const seconds of [0, 0.001, 0.0011, 60, 61]) timer.observe({ kind: 'a' }, seconds);
  timer.observe({ kind: 'b' }, 1);
  const samples = parseExposition(await metrics.text()).get('millpond_some_seconds')?.samples ?? [];
  const value = (name: string, le?: string) =>
    samples.find(
      (sample) => sample.name.endsWith(name) && sample.labels.kind === 'a' && sample.labels.le === le,
    )?.value;
  expect(['0.001', '0.0025', '10', '60', '+Inf'].map((le) => value('_bucket', le))).toEqual([2, 3, 3, 4, 5]);
  expect([value('_count'), value('_sum')]).toEqual([5, expect.closeTo(121.0021)]);
});
