// @module-tag linux
/** The alert rules as the chart installs them, and settings of one component beside those of all. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { containerOf, settingsOf } from './pods.ts';
import { renderChart } from './render.ts';

interface Rule {
  readonly alert: string;
  readonly expr: string;
}

const rulesOf = (groups: readonly { readonly rules: readonly Rule[] }[]): Map<string, string> =>
  new Map(groups.flatMap(({ rules }) => rules).map(({ alert, expr }) => [alert, expr]));

async function rulesWith(...sets: readonly string[]): Promise<Map<string, string>> {
  const manifests = await renderChart([], 'monitoring.rules.enabled=true', ...sets);
  return rulesOf(manifests.find(({ kind }) => kind === 'PrometheusRule')?.spec.groups);
}

test('all rules but that of disks, which the cluster watches itself', async () => {
  const file = path.join(import.meta.dirname, '../prometheus/alerts.yaml');
  const all = rulesOf(parse(await readFile(file, 'utf8')).groups);
  expect(all.delete('MillpondDiskFull')).toBe(true);
  expect(await rulesWith()).toEqual(all);
});

test('what the values switch off is no reason for an alert', async () => {
  expect((await rulesWith()).get('MillpondLooksOff')).toBe('millpond_variables_off > 0');
  // The one that ffmpeg fills.
  expect((await rulesWith('gateways.media=false')).get('MillpondLooksOff')).toBe(
    'millpond_variables_off > 1',
  );
  const inspects = async (...sets: readonly string[]) =>
    settingsOf(containerOf(await renderChart([], ...sets), 'serve')).MILLPOND_INSPECT;
  expect(await inspects()).toBeUndefined();
  // With which a gateway reports that none is off.
  expect(await inspects('sandbox.enabled=false')).toBe('false');
});

test('a component goes back to the default of the server by an empty value', async () => {
  const manifests = await renderChart(
    [],
    'settings.MILLPOND_REGION=z1',
    'gateways.settings.MILLPOND_REGION=',
  );
  expect(settingsOf(containerOf(manifests, 'serve')).MILLPOND_REGION).toBe('');
  expect(settingsOf(containerOf(manifests, 'work')).MILLPOND_REGION).toBe('z1');
});
