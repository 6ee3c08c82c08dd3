/** Alerts and panels ask for metrics that a running server really has. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { createDeployment, type Deployment } from '@millpond/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';

interface AlertRule {
  readonly alert: string;
  readonly expr: string;
  readonly for: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly action: string };
}

let deployment: Deployment;
let served: ReadonlySet<string>;

beforeAll(async () => {
  deployment = await createDeployment({ store: 'disk' });
  const server = await deployment.start();
  const text = await (await fetch(`${server.adminUrl}/metrics`)).text();
  served = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map((match) => match[1] ?? ''));
});
afterAll(() => deployment?.destroy());

/** Without what Prometheus itself adds to the names of histograms. */
function metricsOf(expression: string): string[] {
  const words = expression.replace(/"[^"]*"/g, '').match(/\b[a-z][a-z0-9]*_[a-z0-9_]+\b(?!\s*\()/g) ?? [];
  return words.filter((word) => !/^(?:job|le|route|__)/.test(word)).map((word) => bare(word));
}

function bare(name: string): string {
  const plain = name.replace(/_(?:bucket|count|sum)$/, '');
  return served.has(plain) ? plain : name;
}

test('alert rules', async () => {
  const file = await readFile(path.join(import.meta.dirname, 'prometheus/alerts.yaml'), 'utf8');
  const { groups } = parse(file) as { groups: { rules: AlertRule[] }[] };
  const rules = groups.flatMap((group) => group.rules);
  expect(rules.length).toBeGreaterThan(5);
  for (const { alert, expr, labels, annotations, for: wait } of rules) {
    expect(metricsOf(expr).filter((name) => !served.has(name))).toEqual([]);
    if (!expr.startsWith('up{')) expect(metricsOf(expr)).not.toEqual([]);
    expect({ alert, wait }).toEqual({ alert, wait: expect.stringMatching(/^\d+[mh]$/) as string });
    expect(['page', 'warn']).toContain(labels.severity);
    expect(annotations.summary.length * annotations.action.length).toBeGreaterThan(0);
  }
});

test('the dashboard', async () => {
  const file = await readFile(path.join(import.meta.dirname, 'grafana/millpond.json'), 'utf8');
  const { panels } = JSON.parse(file) as { panels: { title: string; targets: { expr: string }[] }[] };
  const asked = panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => metricsOf(expr)));
  expect(asked.filter((name) => !served.has(name))).toEqual([]);
  expect(new Set(asked).size).toBeGreaterThan(15);
});
