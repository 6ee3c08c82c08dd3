import { gauge, type Metric } from '../../platform/metrics.ts';
import { refreshedFigures } from '../../platform/refreshed-figures.ts';
import type { Capacity } from './capacity.ts';

/** Of an S3 engine it counts the trash. */
const EVERY_MS = 60_000;

/** Nothing is reported of an engine whose size nobody knows. */
export function capacityMetrics(capacity: Capacity): Metric[] {
  const read = refreshedFigures(capacity, { everyMs: EVERY_MS });
  return [
    gauge(
      { name: 'millpond_engine_capacity_bytes', help: 'How much the engine for bytes can hold' },
      async () => (await read())?.total,
    ),
    gauge(
      { name: 'millpond_engine_used_bytes', help: 'How much of it is used' },
      async () => (await read())?.used,
    ),
  ];
}
