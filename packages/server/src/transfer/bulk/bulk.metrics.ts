import { counter, gauge, type Metric } from '@millpond/base';
import { type BulkKind, bulkKinds } from '@millpond/protocol';
import { refreshedValue } from '../../platform/refreshed-value.ts';
import type { BulkStore } from './bulk.store.ts';

const INTERVAL_MS = 15_000;
const MAX_COUNTED = 10_000;

/** Objects that this process has worked on. */
export class BulkCounts {
  readonly #counts = new Map(bulkKinds.map((kind) => [kind, { done: 0, failed: 0 }]));

  add(kind: BulkKind, { done, failed }: { readonly done: number; readonly failed: number }): void {
    const counts = this.#counts.get(kind);
    if (counts === undefined) return;
    counts.done += done;
    counts.failed += failed;
  }

  figures() {
    return [...this.#counts].flatMap(([kind, counts]) =>
      (['done', 'failed'] as const).map((outcome) => ({ labels: { kind, outcome }, value: counts[outcome] })),
    );
  }
}

export function bulkMetrics(store: BulkStore, counts: BulkCounts): Metric[] {
  const open = refreshedValue(() => store.open(MAX_COUNTED), { everyMs: INTERVAL_MS });
  return [
    counter(
      {
        name: 'millpond_bulk_objects_total',
        help: 'Objects on which this process has done work on many, by kind and outcome',
        labels: ['kind', 'outcome'],
      },
      () => counts.figures(),
    ),
    gauge(
      {
        name: 'millpond_bulk_open',
        help: 'Work on many objects in the region that is waiting or running',
        labels: ['state'],
      },
      async () => {
        const rows = await open();
        return (
          rows &&
          (['waiting', 'running'] as const).map((state) => ({
            labels: { state },
            value: Number(rows.find((row) => row.state === state)?.count ?? 0n),
          }))
        );
      },
    ),
  ];
}
