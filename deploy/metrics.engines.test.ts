/** Alerts and panels ask for metrics that a running server really has, and every one of its own is in one of them. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type ExposedMetric, servedMetrics } from '@millpond/testing';
import { beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';

interface AlertRule {
  readonly alert: string;
  readonly expr: string;
  readonly for: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly action: string; readonly page: string };
}

let served: ReadonlyMap<string, ExposedMetric>;
let rules: readonly AlertRule[];
let panels: readonly { readonly title: string; readonly targets: readonly { readonly expr: string }[] }[];

beforeAll(async () => {
  served = await servedMetrics();
  const read = (file: string) => readFile(path.join(import.meta.dirname, file), 'utf8');
  const { groups } = parse(await read('prometheus/alerts.yaml')) as { groups: { rules: AlertRule[] }[] };
  rules = groups.flatMap((group) => group.rules);
  ({ panels } = JSON.parse(await read('grafana/millpond.json')) as { panels: typeof panels });
});

/** Metrics of other exporters: of addresses, of Ceph, of machines. */
const OF_OTHERS = /^(?:probe|ceph|node)_/;

/** Without what Prometheus itself adds to the names of histograms. */
function metricsOf(expression: string): string[] {
  const words = expression.replace(/"[^"]*"/g, '').match(/\b[a-z][a-z0-9]*_[a-z0-9_]+\b(?!\s*\()/g) ?? [];
  return words
    .filter((word) => !/^(?:job|le|route|__)/.test(word) && !OF_OTHERS.test(word))
    .map((word) => bare(word));
}

function bare(name: string): string {
  const plain = name.replace(/_(?:bucket|count|sum)$/, '');
  return served.has(plain) ? plain : name;
}

/** A counter says something only by how fast it grows. */
function bareCounters(expression: string): string[] {
  const grown = [...expression.matchAll(/(?:rate|increase)\((\w+)/g)].map(([, name]) => name);
  return metricsOf(expression).filter(
    (name) => served.get(name)?.type === 'counter' && !grown.includes(name),
  );
}

test('alert rules', () => {
  expect(rules.length).toBeGreaterThan(5);
  for (const { alert, expr, labels, annotations, for: wait } of rules) {
    expect(metricsOf(expr).filter((name) => !served.has(name))).toEqual([]);
    expect(bareCounters(expr)).toEqual([]);
    if (!expr.startsWith('up{') && !OF_OTHERS.test(expr)) expect(metricsOf(expr)).not.toEqual([]);
    expect({ alert, wait }).toEqual({ alert, wait: expect.stringMatching(/^\d+[mh]$/) as string });
    expect(['page', 'warn']).toContain(labels.severity);
    expect(annotations.summary.length * annotations.action.length).toBeGreaterThan(0);
  }
});

test('each has its heading in docs/alerts.md, and each heading its alert', async () => {
  const page = await readFile(path.join(import.meta.dirname, '../docs/alerts.md'), 'utf8');
  const headings = [...page.matchAll(/^### (\S+)$/gm)].map(([, name = '']) => name);
  expect(headings.toSorted()).toEqual(rules.map(({ alert }) => alert).toSorted());
  for (const { alert, annotations } of rules)
    expect(annotations.page).toBe(`docs/alerts.md#${alert.toLowerCase()}`);
  for (const section of page.split(/^### /m).slice(1)) {
    expect(/```console\n[\s\S]*?\n```/.exec(section)?.[0].split('\n')).toHaveLength(5);
    expect(section).toMatch(/^It ends /m);
  }
});

test('figures of several regions are never taken together', () => {
  for (const { expr } of rules) expect(expr).not.toMatch(/\b(?:sum|min|max|count)(?:\(| by \((?!region\b))/);
});

test('the dashboard', () => {
  const asked = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
  expect(asked.flatMap(metricsOf).filter((name) => !served.has(name))).toEqual([]);
  expect(asked.flatMap(bareCounters)).toEqual([]);
});

test('every metric of ours is in a panel or a rule', () => {
  const shown = [...rules, ...panels.flatMap(({ targets }) => targets)].flatMap(({ expr }) =>
    metricsOf(expr),
  );
  const own = [...served.keys()].filter((name) => name.startsWith('millpond_'));
  expect(own.length).toBeGreaterThan(50);
  expect(own.filter((name) => !shown.includes(name))).toEqual([]);
});
