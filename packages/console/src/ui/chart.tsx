/** Figures over time: thin straight lines, gaps stay gaps, one cursor for all charts of a screen, and a table for those who can't see it. */
import { useEffect, useId, useRef, useState } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { clock } from '../lib/format.ts';
import { onPreference } from '../lib/preferences.ts';
import { useTranslations } from '../lib/words.ts';

export interface Series {
  readonly name: string;
  /** Of the tokens `--chart-1` to `--chart-5`. */
  readonly colour: 1 | 2 | 3 | 4 | 5;
  readonly values: readonly (number | null)[];
  readonly fill?: boolean;
}

export interface ChartProps {
  readonly title: string;
  readonly unit?: string;
  /** Unix seconds. */
  readonly times: readonly number[];
  readonly series: readonly Series[];
  readonly format: (value: number) => string;
  /** How a time is written; the clock unless said otherwise. */
  readonly when?: (unixSeconds: number) => string;
  readonly height?: number;
  /** The axis goes at least so far: noise around nothing must not fill the chart. */
  readonly least?: number;
  /** The axis is divided by powers of two, as bytes are. */
  readonly isBinary?: boolean;
  /** Charts with the same key share their cursor. */
  readonly sync?: string;
}

export function Chart({
  title,
  unit,
  times,
  series,
  format,
  when = minute,
  height = 118,
  least = 1,
  isBinary = false,
  sync = 'charts',
}: ChartProps) {
  const say = useTranslations('common');
  const id = useId();
  const holder = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState<number | undefined>();
  const [theme, setTheme] = useState(0);
  const [isTable, setTable] = useState(false);
  useEffect(() => onPreference(() => setTheme((was) => was + 1)), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: colours are read anew when the theme changes
  useEffect(() => {
    const element = holder.current;
    if (element === null || isTable) return;
    const plot = draw(element, { times, series, format, when, height, least, isBinary, sync }, setAt);
    const resized = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }));
    resized.observe(element);
    return () => {
      resized.disconnect();
      plot.destroy();
    };
  }, [times, series, format, when, height, least, isBinary, sync, theme, isTable]);
  const shown = at ?? newest(series);
  return (
    <figure className="chart" aria-labelledby={id}>
      <figcaption className="chart-head" id={id}>
        <span className="row">
          <b className="chart-title">
            {title} {unit !== undefined && <small>{unit}</small>}
          </b>
          <button
            type="button"
            className="link end chart-toggle"
            aria-pressed={isTable}
            onClick={() => setTable(!isTable)}
          >
            {say(isTable ? 'chart.lines' : 'chart.table')}
          </button>
        </span>
        <span className="legend">
          {series.map(({ name, colour, values }) => (
            <span key={name} className={`chart-${colour}`}>
              <i />
              <span className="soft">{name}</span> <b>{textOf(values[shown], format)}</b>
            </span>
          ))}
        </span>
      </figcaption>
      {isTable ? (
        <Table title={title} times={times} series={series} format={format} when={when} />
      ) : (
        <div ref={holder} className="plot" aria-hidden />
      )}
    </figure>
  );
}

const MOST_ROWS = 60;

/** The newest first. */
function Table({
  title,
  times,
  series,
  format,
  when = minute,
}: Omit<ChartProps, 'height' | 'least' | 'isBinary' | 'sync'>) {
  const step = Math.max(1, Math.ceil(times.length / MOST_ROWS));
  const last = newest(series);
  const rows = times
    .map((time, at) => ({ time, at }))
    .filter(({ at }) => at <= last && (last - at) % step === 0)
    .toReversed();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so a keyboard must reach it
    <section className="scroll chart-table" tabIndex={0} aria-label={title}>
      <table className="table">
        <tbody>
          {rows.map(({ time, at }) => (
            <tr key={time}>
              <td>{when(time)}</td>
              {series.map(({ name, values }) => (
                <td key={name} className="numeric">
                  {textOf(values[at], format)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Of the newest figures that are known: the time that has just begun has none yet. */
function newest(series: readonly Series[]): number {
  return Math.max(-1, ...series.map(({ values }) => values.findLastIndex((value) => value !== null)));
}

function textOf(value: number | null | undefined, format: (value: number) => string): string {
  return value === null || value === undefined ? '–' : format(value);
}

function draw(
  element: HTMLDivElement,
  {
    times,
    series,
    format,
    when = minute,
    height,
    least,
    isBinary,
    sync,
  }: Pick<ChartProps, 'times' | 'series' | 'format' | 'when'> & {
    height: number;
    least: number;
    isBinary: boolean;
    sync: string;
  },
  onCursor: (at: number | undefined) => void,
): uPlot {
  const token = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const axis = {
    stroke: token('--ink-3'),
    font: `10.5px ${token('--font-sans')}`,
    grid: { stroke: token('--chart-grid'), width: 1 },
    ticks: { show: false },
  };
  return new uPlot(
    {
      width: element.clientWidth,
      height,
      legend: { show: false },
      cursor: { sync: { key: sync }, points: { size: 5 }, drag: { x: false, y: false }, y: false },
      scales: { y: { range: (_plot, _least, most) => [0, Math.max(most * 1.04, least)] } },
      axes: [
        {
          ...axis,
          size: 20,
          gap: 4,
          space: 60,
          values: (_plot, ticks) => ticks.map(when),
        },
        {
          ...axis,
          gap: 4,
          space: 28,
          size: sizeOfAxis,
          values: (_plot, ticks) => ticks.map(format),
          ...(isBinary && { incrs: POWERS_OF_TWO }),
        },
      ],
      series: [
        {},
        ...series.map(({ colour, fill }) => ({
          stroke: token(`--chart-${colour}`),
          width: 1.25,
          spanGaps: false,
          points: { show: true, size: 3, filter: (plot: uPlot, at: number) => alone(plot.data[at] ?? []) },
          ...(fill ? { fill: `color-mix(in oklch, ${token(`--chart-${colour}`)} 13%, transparent)` } : {}),
        })),
      ],
      hooks: { setCursor: [({ cursor }) => onCursor(cursor.idx ?? undefined)] },
    },
    [times as number[], ...series.map(({ values }) => values as (number | null)[])],
    element,
  );
}

/** Values between two gaps, which no line would show. */
function alone(values: ArrayLike<number | null | undefined>): number[] {
  const isKnown = (at: number) => values[at] !== null && values[at] !== undefined;
  return Array.from(values, (_, at) => at).filter(
    (at) => isKnown(at) && !isKnown(at - 1) && !isKnown(at + 1),
  );
}

/** Up to 1 EiB. */
const POWERS_OF_TWO = Array.from({ length: 61 }, (_, power) => 2 ** power);

/** `14:32` */
function minute(unixSeconds: number): string {
  return clock(unixSeconds * 1000).slice(0, 5);
}

/** As wide as its longest label. */
function sizeOfAxis(_plot: uPlot, labels: string[] | null): number {
  return 10 + 6 * Math.max(3, ...(labels ?? []).map((label) => label.length));
}
