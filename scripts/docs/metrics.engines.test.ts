/** The page of metrics names what a running server has, with its kind and labels, and nothing else. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { servedMetrics } from '@millpond/testing';
import { expect, test } from 'vitest';

const ROW = /^\| `(millpond_[a-z_]+)` +\| (counter|gauge|histogram) +\| (.*?) +\| /gm;

test('docs/metrics.md', async () => {
  const page = await readFile(path.join(import.meta.dirname, '../../docs/metrics.md'), 'utf8');
  const named = [...page.matchAll(ROW)].map(([, name = '', kind, labels = '']) => ({
    name,
    kind,
    labels: [...labels.matchAll(/`(\w+)`/g)].map(([, label = '']) => label),
  }));
  const served = [...(await servedMetrics()).values()].filter(({ name }) => name.startsWith('millpond_'));
  expect(named.map(({ name, kind }) => `${name} ${kind}`).toSorted()).toEqual(
    served.map(({ name, type }) => `${name} ${type}`).toSorted(),
  );
  // Where nothing has happened yet, nothing is told.
  const told = served.filter(({ samples }) => samples.length > 0);
  expect(told.length).toBeGreaterThan(30);
  for (const { name, samples } of told) {
    const labels = Object.keys(samples[0]?.labels ?? {}).filter((label) => label !== 'le');
    expect({ name, labels }).toEqual({ name, labels: named.find((row) => row.name === name)?.labels });
  }
});
