import { storageClasses } from '@millpond/protocol';
import { gauge, type Metric } from '../../platform/metrics.ts';
import { refreshedFigures } from '../../platform/refreshed-figures.ts';
import type { UsageFiguresStore } from './figures-store.ts';

const EVERY_MS = 15_000;

export function usageMetrics(store: UsageFiguresStore): Metric[] {
  const byClass = refreshedFigures(() => store.byClass(), { everyMs: EVERY_MS });
  const stored = async (figure: 'bytes' | 'objects') =>
    (await byClass())?.map((row) => ({ labels: { class: wordOf(row.class) }, value: Number(row[figure]) }));
  return [
    gauge(
      { name: 'millpond_stored_bytes', help: 'Bytes of all objects of the region', labels: ['class'] },
      () => stored('bytes'),
    ),
    gauge({ name: 'millpond_stored_objects', help: 'Objects of the region', labels: ['class'] }, () =>
      stored('objects'),
    ),
  ];
}

function wordOf(storageClass: number): string {
  return storageClasses.find(({ number }) => number === storageClass)?.word ?? String(storageClass);
}
