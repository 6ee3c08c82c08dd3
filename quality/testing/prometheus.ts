/**
 * A strict parser for what a server exposes to Prometheus (text format 0.0.4): it refuses whatever Prometheus might
 * guess at. Each metric has its help and its type before its samples, all in one place; no series occurs twice;
 * histograms add up.
 */

export interface ExposedSample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface ExposedMetric {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram' | 'summary';
  readonly help: string;
  readonly samples: readonly ExposedSample[];
}

const NAME = '[a-zA-Z_:][a-zA-Z0-9_:]*';
const HEAD = new RegExp(`^# (HELP|TYPE) (${NAME}) (.+)$`);
const SAMPLE = new RegExp(`^(${NAME})(?:\\{(.*)\\})? (\\S+)$`);
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(,|$)/y;
const NUMBER = /^[+-]?(?:\d+(?:\.\d+)?(?:e[+-]?\d+)?|Inf)$|^nan$/i;
const SUFFIXES: Readonly<Record<string, RegExp>> = {
  histogram: /^_(?:bucket|sum|count)$/,
  summary: /^(?:|_sum|_count)$/,
};

export function parseExposition(text: string): ReadonlyMap<string, ExposedMetric> {
  if (!text.endsWith('\n')) throw new Error('the last line is not ended');
  const metrics = new Map<string, ExposedMetric & { readonly samples: ExposedSample[] }>();
  let help: readonly [string, string] | undefined;
  let current: string | undefined;
  const series = new Set<string>();
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const head = HEAD.exec(line);
    if (head !== null) {
      const [, kind, name = '', words = ''] = head;
      if (kind === 'HELP') {
        if (metrics.has(name)) throw new Error(`${name} stands twice`);
        help = [name, words];
        current = undefined;
        continue;
      }
      if (help?.[0] !== name || metrics.has(name))
        throw new Error(`the type of ${name} does not follow its help`);
      if (!['counter', 'gauge', 'histogram', 'summary'].includes(words)) throw new Error(`no type: ${line}`);
      metrics.set(name, { name, help: help[1], type: words as ExposedMetric['type'], samples: [] });
      current = name;
      continue;
    }
    const [, name = '', labelText, value = ''] = SAMPLE.exec(line) ?? rejectLine(line);
    const metric = metrics.get(current ?? '') ?? rejectLine(line);
    const suffix = name.startsWith(metric.name) ? name.slice(metric.name.length) : rejectLine(line);
    if (!(SUFFIXES[metric.type] ?? /^$/).test(suffix) || !NUMBER.test(value)) rejectLine(line);
    const labels = labelText === undefined ? {} : labelsOf(labelText);
    const pairs = Object.entries(labels).map((pair) => JSON.stringify(pair));
    const key = [name, ...pairs.toSorted()].join();
    if (series.has(key)) throw new Error(`a series stands twice: ${line}`);
    series.add(key);
    metric.samples.push({ name, labels, value: Number(value.replace('Inf', 'Infinity')) });
  }
  for (const metric of metrics.values()) check(metric);
  return metrics;
}

function rejectLine(line: string): never {
  throw new Error(`not understood: ${line}`);
}

function labelsOf(text: string): Record<string, string> {
  const labels: Record<string, string> = {};
  LABEL.lastIndex = 0;
  while (LABEL.lastIndex < text.length) {
    const [, name = '', value = '', end] = LABEL.exec(text) ?? rejectLine(text);
    if (name in labels) throw new Error(`a label stands twice: ${text}`);
    labels[name] = value.replace(/\\(.)/g, (_, escaped: string) => (escaped === 'n' ? '\n' : escaped));
    if (end === '') break;
  }
  return labels;
}

function check({ name, type, samples }: ExposedMetric): void {
  if (type === 'counter' && samples.some(({ value }) => !(value >= 0))) throw new Error(`${name} is below 0`);
  if (type !== 'histogram') return;
  const counts = samples.filter((sample) => sample.name === `${name}_count`);
  for (const { labels, value } of counts) {
    const same = samples.filter((sample) =>
      Object.entries(labels).every(([label, text]) => sample.labels[label] === text),
    );
    const buckets = same.filter((sample) => sample.name === `${name}_bucket`);
    const bounds = buckets.map((bucket) => Number(bucket.labels.le?.replace('Inf', 'Infinity')));
    const isAscending = buckets.every(
      (bucket, at) =>
        at === 0 ||
        ((bounds[at] ?? 0) > (bounds[at - 1] ?? 0) && bucket.value >= (buckets[at - 1]?.value ?? 0)),
    );
    const hasSum = same.some((sample) => sample.name === `${name}_sum`);
    if (!isAscending || !hasSum || bounds.at(-1) !== Infinity || buckets.at(-1)?.value !== value)
      throw new Error(`${name} ${JSON.stringify(labels)} does not add up`);
  }
  if (samples.length > 0 && counts.length === 0) throw new Error(`${name} has no count`);
}
