import { gauge, type Metric } from '@millpond/base';
import type { Capacity } from './capacity.ts';

/** Nothing is reported of an engine whose size nobody knows. */
export function capacityMetrics(capacity: Capacity): Metric[] {
  return [
    gauge(
      { name: 'millpond_engine_capacity_bytes', help: 'How much the engine for bytes can hold' },
      async () => (await capacity())?.total,
    ),
    gauge(
      { name: 'millpond_engine_used_bytes', help: 'How much of it is used' },
      async () => (await capacity())?.used,
    ),
  ];
}
