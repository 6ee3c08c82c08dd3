/** The figures by the names that the call takes, and what is kept for each. */
import { TIMER_BOUNDS } from '@millpond/base';
import { LATENCY } from './metric-snapshot.ts';

export type FigureKind = 'perSecond' | 'perMinute' | 'percentile' | 'gauge';

const REQUESTS = ['downloads', 'calls', 'uploads', 's3'];
const ERRORS = ['4xx', '5xx', '6xx', '599', '579', '573'];
const CLASSES = ['0', '1', '2', '3'];

/** Shares by name. */
export const PERCENTILES: Readonly<Record<string, number>> = {
  'latency.p50': 0.5,
  'latency.p95': 0.95,
  'latency.p99': 0.99,
};

/** Besides those of the queues. */
export const FIXED_NAMES: readonly string[] = [
  ...REQUESTS.map((kind) => `requests.${kind}`),
  ...ERRORS.map((status) => `errors.${status}`),
  ...Object.keys(PERCENTILES),
  'traffic.in',
  'traffic.out',
  'events.waiting',
  'events.age',
  'tasks.waiting',
  'tasks.running',
  'restores',
  ...CLASSES.flatMap((number) => [`stored.${number}`, `objects.${number}`]),
  'live.publishers',
  'devices.registered',
];

const FIXED = new Set(FIXED_NAMES);
const OF_QUEUE = /^queue\.[\w-]{1,60}\.(?:depth|age)$/;

export function isOfQueue(name: string): boolean {
  return OF_QUEUE.test(name);
}

/** Undefined if there is no such figure. */
export function kindOf(name: string): FigureKind | undefined {
  if (isOfQueue(name)) return 'gauge';
  if (!FIXED.has(name)) return undefined;
  if (Object.hasOwn(PERCENTILES, name)) return 'percentile';
  if (/^(?:requests|traffic)\./.test(name)) return 'perSecond';
  return name.startsWith('errors.') ? 'perMinute' : 'gauge';
}

/** Keys of what is kept that these need. */
export function keysOf(names: readonly string[]): string[] {
  const isTimed = names.some((name) => kindOf(name) === 'percentile');
  return [...names, ...(isTimed ? TIMER_BOUNDS.map((le) => `${LATENCY}${le}`) : [])];
}
