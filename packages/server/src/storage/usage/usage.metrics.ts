import { gauge, type Metric } from '@millpond/base';
import { storageClasses } from '@millpond/protocol';
import { refreshedValue } from '../../platform/refreshed-value.ts';
import type { UsageFiguresStore } from './usage.figures.store.ts';

const INTERVAL_MS = 15_000;

export function usageMetrics(store: UsageFiguresStore): Metric[] {
  const byClass = refreshedValue(() => store.byClass(), { everyMs: INTERVAL_MS });
  // Reports every class, also one without objects: a sample that comes and goes is neither drawn nor compared.
  const stored = async (figure: 'bytes' | 'objects') => {
    const rows = await byClass();
    return (
      rows &&
      storageClasses.map(({ number, word }) => ({
        labels: { class: word },
        value: Number(rows.find((row) => row.class === number)?.[figure] ?? 0),
      }))
    );
  };
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
