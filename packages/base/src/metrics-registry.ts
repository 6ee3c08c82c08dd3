/**
 * What a process reports to Prometheus. A metric is declared once, where the measured thing happens, with its name, kind, help
 * and labels; its owner hands it to the process (`Metrics.add`). Names show the kind: counters, and nothing else, end in
 * `_total`; times are histograms in seconds. Nothing is computed before it is asked for, except the histograms, which
 * accumulate.
 */
import { collectDefaultMetrics, Registry } from 'prom-client';

export type Labels<Label extends string> = Readonly<Record<Label, string>>;

export interface LabelledValue<Label extends string> {
  readonly labels: Labels<Label>;
  readonly value: number;
}

/** A single figure if there are no labels. Undefined: not known now, so nothing is reported. */
type Figures<Label extends string> = number | readonly LabelledValue<Label>[] | undefined;
type Read<Label extends string> = () => Figures<Label> | Promise<Figures<Label>>;

interface Declared<Name extends string, Label extends string> {
  readonly name: Name;
  readonly help: string;
  readonly labels?: readonly Label[];
}

export interface Sample {
  /** What the format appends to the metric's name. */
  readonly suffix?: '_bucket' | '_sum' | '_count';
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface Metric {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  samples(): readonly Sample[] | Promise<readonly Sample[]>;
}

/** A total since the process started. */
export function counter<Label extends string = never>(
  declared: Declared<`millpond_${string}_total`, Label>,
  read: Read<Label>,
): Metric {
  return { ...declared, type: 'counter', samples: async () => samplesOf(await read()) };
}

/** A current value. */
export function gauge<Label extends string = never>(
  declared: Declared<`millpond_${string}`, Label>,
  read: Read<Label>,
): Metric {
  if (declared.name.endsWith('_total')) throw new Error(`${declared.name}: only counters end in _total`);
  return { ...declared, type: 'gauge', samples: async () => samplesOf(await read()) };
}

/** Up to the longest that anything here may take; longer times are counted separately. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60];

/** What the buckets of every histogram are called: their upper bounds. */
export const TIMER_BOUNDS: readonly string[] = [...BUCKETS, Infinity].map(numberText);

interface Series {
  readonly labels: Readonly<Record<string, string>>;
  /** How many took at most as long as their bucket and longer than the one before; the last is for all others. */
  readonly counts: Float64Array;
  sum: number;
}

/** How long something took. */
export class Timer<Label extends string> implements Metric {
  readonly type = 'histogram';
  readonly name: string;
  readonly help: string;
  readonly #labels: readonly Label[];
  readonly #series = new Map<string, Series>();

  constructor({ name, help, labels }: Required<Declared<`millpond_${string}_seconds`, Label>>) {
    this.name = name;
    this.help = help;
    this.#labels = labels;
  }

  /** Values of labels come from a short list, never from a request. */
  observe(labels: Labels<Label>, seconds: number): void {
    addTo(this.#seriesOf(labels), seconds);
  }

  /** For hot paths: the returned function only adds. */
  with(labels: Labels<Label>): (seconds: number) => void {
    const series = this.#seriesOf(labels);
    return (seconds) => addTo(series, seconds);
  }

  samples(): Sample[] {
    return [...this.#series.values()].flatMap(({ labels, counts, sum }) => {
      let count = 0;
      const buckets = Array.from(counts, (more, at): Sample => {
        count += more;
        return {
          suffix: '_bucket',
          labels: { ...labels, le: numberText(BUCKETS[at] ?? Infinity) },
          value: count,
        };
      });
      return [...buckets, { suffix: '_sum', labels, value: sum }, { suffix: '_count', labels, value: count }];
    });
  }

  #seriesOf(labels: Labels<Label>): Series {
    const key = this.#labels.map((label) => labels[label]).join('\n');
    let series = this.#series.get(key);
    if (series === undefined) {
      series = { labels, counts: new Float64Array(BUCKETS.length + 1), sum: 0 };
      this.#series.set(key, series);
    }
    return series;
  }
}

function addTo(series: Series, seconds: number): void {
  let at = 0;
  while (at < BUCKETS.length && seconds > (BUCKETS[at] as number)) at++;
  series.counts[at] = (series.counts[at] as number) + 1;
  series.sum += seconds;
}

/** The metrics of one process: ours, and Node's own. */
export class Metrics {
  readonly #own = new Map<string, Metric>();
  readonly #process = new Registry();

  constructor() {
    collectDefaultMetrics({ register: this.#process });
  }

  get contentType(): string {
    return this.#process.contentType;
  }

  add(...metrics: readonly Metric[]): void {
    for (const metric of metrics) {
      if (this.#own.has(metric.name)) throw new Error(`the metric ${metric.name} is already registered`);
      this.#own.set(metric.name, metric);
    }
  }

  /** Samples of one metric; empty if unknown or failing. */
  async samplesOf(name: string): Promise<readonly Sample[]> {
    const metric = this.#own.get(name);
    return metric === undefined ? [] : samplesIfAny(metric);
  }

  /** In the text format. A metric that fails has no samples; the others are still reported. */
  async text(): Promise<string> {
    const own = await Promise.all(
      Array.from(this.#own.values(), async (metric) => textOf(metric, await samplesIfAny(metric))),
    );
    return [...own, await this.#process.metrics()].join('\n');
  }
}

async function samplesIfAny(metric: Metric): Promise<readonly Sample[]> {
  try {
    return await metric.samples();
  } catch {
    return [];
  }
}

function samplesOf(figures: Figures<string>): readonly Sample[] {
  if (figures === undefined) return [];
  return typeof figures === 'number' ? [{ labels: {}, value: figures }] : figures;
}

function textOf({ name, help, type }: Metric, samples: readonly Sample[]): string {
  const lines = samples.map(({ suffix = '', labels, value }) => {
    const pairs = Object.entries(labels).map(
      ([label, text]) => `${label}="${escaped(text).replaceAll('"', '\\"')}"`,
    );
    return `${name}${suffix}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${numberText(value)}\n`;
  });
  return `# HELP ${name} ${escaped(help)}\n# TYPE ${name} ${type}\n${lines.join('')}`;
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
}

function numberText(value: number): string {
  return value === Infinity ? '+Inf' : String(value);
}
