/**
 * What is kept of the metrics of a process: the same samples that Prometheus reads, summed over the labels that nobody looks
 * back at. Counts only grow while a process lives, and those of different processes and times can be added up; buckets of the
 * histogram too, so that percentiles of any time are those that Prometheus would compute. Gauges are all of the region.
 */
import type { Metrics, Sample } from '@millpond/base';
import { storageClasses } from '@millpond/protocol';

export type MetricValues = Readonly<Record<string, number>>;
type Source = Pick<Metrics, 'samplesOf'>;

/** What the buckets of the histogram are called: each ends with its upper bound in seconds. */
export const LATENCY = 'latency.';
/** Answers that say something of their own. */
const TOLD_STATUSES: ReadonlySet<string> = new Set(['599', '579', '573']);

export async function readCounts(metrics: Source): Promise<MetricValues> {
  const [requests, traffic] = await Promise.all([
    metrics.samplesOf('millpond_request_seconds'),
    metrics.samplesOf('millpond_traffic_bytes_total'),
  ]);
  const counts: Record<string, number> = {};
  const add = (name: string, value: number) => {
    counts[name] = (counts[name] ?? 0) + value;
  };
  for (const sample of requests) addRequests(sample, add);
  for (const { labels, value } of traffic) add(`traffic.${labels.direction}`, value);
  return counts;
}

function addRequests({ suffix, labels, value }: Sample, add: (name: string, value: number) => void): void {
  if (suffix === '_bucket') add(`${LATENCY}${labels.le}`, value);
  if (suffix !== '_count') return;
  const status = labels.status ?? '';
  add(`requests.${labels.kind}`, value);
  if (/^[456]/.test(status)) add(`errors.${status[0]}xx`, value);
  if (TOLD_STATUSES.has(status)) add(`errors.${status}`, value);
}

/** Gauges read from the database: one process reports them for all. */
export async function readRegionGauges(metrics: Source): Promise<MetricValues> {
  const gauges = await Promise.all([
    named(metrics, 'millpond_queue_jobs', ({ queue, state }) =>
      state === 'waiting' ? `queue.${queue}.depth` : undefined,
    ),
    named(metrics, 'millpond_queue_oldest_seconds', ({ queue }) => `queue.${queue}.age`),
    named(metrics, 'millpond_deliveries_queued', () => 'events.waiting'),
    named(metrics, 'millpond_deliveries_late_seconds', () => 'events.age'),
    named(metrics, 'millpond_tasks', ({ state }) => `tasks.${state}`),
    named(metrics, 'millpond_restores', () => 'restores'),
    named(metrics, 'millpond_stored_bytes', (labels) => `stored.${classOf(labels)}`),
    named(metrics, 'millpond_stored_objects', (labels) => `objects.${classOf(labels)}`),
    named(metrics, 'millpond_live_publishers', () => 'live.publishers'),
  ]);
  return Object.fromEntries(gauges.flat());
}

/** Only the process that has the port of devices knows; the others say nothing, or 0. */
export async function readOwnGauges(metrics: Source): Promise<MetricValues> {
  return Object.fromEntries(await named(metrics, 'millpond_sip_registrations', () => 'devices.registered'));
}

async function named(
  metrics: Source,
  metric: string,
  name: (labels: Sample['labels']) => string | undefined,
): Promise<[string, number][]> {
  return (await metrics.samplesOf(metric)).flatMap(({ labels, value }): [string, number][] => {
    const figure = name(labels);
    return figure === undefined ? [] : [[figure, value]];
  });
}

function classOf(labels: Sample['labels']): number | string {
  return storageClasses.find(({ word }) => word === labels.class)?.number ?? String(labels.class);
}

/** What was added since `before`; what did not change is left out. */
export function subtract(before: MetricValues, now: MetricValues): MetricValues {
  return Object.fromEntries(
    Object.entries(now).flatMap(([name, value]): [string, number][] => {
      const added = value - (before[name] ?? 0);
      return added === 0 ? [] : [[name, added]];
    }),
  );
}
