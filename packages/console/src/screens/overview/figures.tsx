/** The installation's figures over time, in charts with one cursor. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useSession } from '../../app/session-context.tsx';
import { bytes, compactNumber, day, durationText, milliseconds } from '../../lib/format.ts';
import { useTranslations } from '../../lib/words.ts';
import { Chart, type Series } from '../../ui/chart.tsx';
import { CLASSES } from '../../ui/depth.tsx';
import { Failure } from '../../ui/failure.tsx';
import styles from './overview.module.css';
import { RANGES, type Range } from './range.ts';

const DAY = 86_400;
const EVERY_MS = 15_000;

const NAMES = [
  ...['downloads', 'calls', 'uploads', 's3'].map((name) => `requests.${name}`),
  ...['599', '579', '573'].map((name) => `errors.${name}`),
  ...['p50', 'p95', 'p99'].map((name) => `latency.${name}`),
  'traffic.in',
  'traffic.out',
  'events.waiting',
  'events.age',
  'tasks.waiting',
  'restores',
  ...CLASSES.flatMap((type) => [`stored.${type}`, `objects.${type}`]),
  'live.publishers',
  'devices.registered',
];
/** Of the classes, from standard to deep archive. */
const CLASS_COLOURS = [1, 5, 2, 3] as const;

export function Figures({ range }: { readonly range: Range }) {
  const say = useTranslations('overview');
  const common = useTranslations('common');
  const { client } = useSession();
  const { data, error, refetch } = useQuery({
    queryKey: ['overview', 'figures', range],
    queryFn: ({ signal }) => {
      const { seconds, step } = RANGES[range];
      // With the step that has begun: rates are of the time that it has figures of.
      const to = Math.ceil(Date.now() / 1000 / step) * step;
      return client.operator.figures({ from: to - seconds, to, step, names: NAMES, signal });
    },
    refetchInterval: EVERY_MS,
    placeholderData: keepPreviousData,
  });
  const times = useMemo(() => (data === undefined ? [] : timesOf(data)), [data]);
  if (error !== null && data === undefined)
    return <Failure error={error} what={say('figures.failed')} again={() => void refetch()} />;
  const of = (
    name: string,
    word: Parameters<typeof say>[0],
    colour: Series['colour'],
    fill?: true,
  ): Series => ({
    name: say(word),
    colour,
    values: data?.series[name] ?? [],
    ...(fill && { fill }),
  });
  const code = (status: string, colour: Series['colour']): Series => ({
    name: status,
    colour,
    values: data?.series[`errors.${status}`] ?? [],
  });
  const byClass = (name: 'stored' | 'objects'): Series[] =>
    CLASSES.map((type, at) => ({
      name: common(`class.${type}`),
      colour: CLASS_COLOURS[at] ?? 3,
      values: data?.series[`${name}.${type}`] ?? [],
    }));
  // Where there are no streams or devices, nothing is said of them.
  const live = [of('live.publishers', 'publishers', 1), of('devices.registered', 'devices', 2)].filter(
    ({ values }) => values.some((value) => value !== null),
  );
  const shared = { times, sync: 'overview', ...(RANGES[range].seconds > 2 * DAY && { when: dayAt }) };
  return (
    <div className={styles.charts}>
      <Chart
        {...shared}
        title={say('requests')}
        unit={say('perSecond')}
        format={compactNumber}
        series={[
          of('requests.downloads', 'downloads', 1),
          of('requests.calls', 'calls', 3),
          of('requests.uploads', 'uploads', 2),
          of('requests.s3', 's3', 5),
        ]}
      />
      <Chart
        {...shared}
        title={say('errors')}
        unit={say('perMinute')}
        format={compactNumber}
        series={[code('599', 4), code('579', 2), code('573', 3)]}
      />
      <Chart
        {...shared}
        title={say('latency')}
        unit={say('latency.unit')}
        format={milliseconds}
        series={(['p99', 'p95', 'p50'] as const).map((name, at) => ({
          name,
          colour: ([4, 1, 3] as const)[at] ?? 3,
          values: data?.series[`latency.${name}`] ?? [],
        }))}
      />
      <Chart
        {...shared}
        title={say('traffic')}
        unit={say('perSecond')}
        format={bytes}
        isBinary
        series={[of('traffic.out', 'out', 1, true), of('traffic.in', 'in', 2)]}
      />
      <Chart
        {...shared}
        title={say('depth')}
        format={compactNumber}
        series={[
          of('events.waiting', 'events', 2),
          of('tasks.waiting', 'tasks', 1),
          of('restores', 'restores', 5),
        ]}
      />
      <Chart
        {...shared}
        title={say('oldest')}
        format={seconds}
        least={60}
        series={[of('events.age', 'age', 2, true)]}
      />
      <Chart {...shared} title={say('stored')} format={bytes} isBinary series={byClass('stored')} />
      <Chart {...shared} title={say('objects')} format={compactNumber} series={byClass('objects')} />
      {live.length > 0 && <Chart {...shared} title={say('live')} format={compactNumber} series={live} />}
    </div>
  );
}

function timesOf({ from, to, step }: { from: number; to: number; step: number }): number[] {
  return Array.from({ length: Math.round((to - from) / step) }, (_, at) => from + at * step);
}

function dayAt(seconds: number): string {
  return day(seconds * 1000);
}

function seconds(value: number): string {
  return durationText(value * 1000);
}
