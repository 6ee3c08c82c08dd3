/** For an account: its requests by day, and what is under way. */
import type { OverviewRecord } from '@millpond/client/session';
import { useMemo } from 'react';
import { compactNumber, number } from '../../lib/format.ts';
import { useTranslations } from '../../lib/words.ts';
import { Chart } from '../../ui/chart.tsx';
import styles from './overview.module.css';

const DAY_MS = 86_400_000;
/** As far back as the server counts. */
const SHOWN = 30;

/** Days of the server are days of UTC. */
function dayOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(5, 10);
}

export function Days({ overview }: { readonly overview: OverviewRecord }) {
  const say = useTranslations('overview');
  const counted = overview.requests.days;
  const days = useMemo(() => withQuietDays(counted), [counted]);
  const times = useMemo(() => days.map(({ day }) => Date.parse(day) / 1000), [days]);
  const series = useMemo(
    () => [
      { name: say('downloads'), colour: 1 as const, values: days.map(({ downloads }) => downloads) },
      { name: say('calls'), colour: 3 as const, values: days.map(({ calls }) => calls) },
    ],
    [days, say],
  );
  const facts = [
    ['buckets', overview.buckets],
    ['tasks.waiting', overview.tasks.waiting],
    ['tasks.running', overview.tasks.running],
    ['events.waiting', overview.deliveries.waiting],
    ['restores', overview.restores],
    ['bulk', overview.bulk],
    ['streams', overview.streams],
    ['devices', overview.devices],
  ] as const;
  return (
    <div className={`${styles.charts} ${styles.days}`}>
      <Chart
        title={say('requests')}
        unit={say('perDay')}
        times={times}
        series={series}
        format={compactNumber}
        when={dayOf}
      />
      <dl className="key-values">
        {facts.map(([word, value]) => (
          <div key={word}>
            <dt>{say(`fact.${word}`)}</dt>
            <dd className="tabular">{number(value)}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

/** The server names the days that had requests. */
function withQuietDays(counted: OverviewRecord['requests']['days']): OverviewRecord['requests']['days'] {
  const byDay = new Map(counted.map((each) => [each.day, each]));
  return Array.from({ length: SHOWN }, (_, at) => {
    const day = new Date(Date.now() - (SHOWN - 1 - at) * DAY_MS).toISOString().slice(0, 10);
    return byDay.get(day) ?? { day, calls: 0, downloads: 0 };
  });
}
