/** Requests of the last days. Days without any are zero, not gaps: the server counts every day. */
import { DAY_MS } from '@millpond/protocol';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useMemo } from 'react';
import { useSession } from '../../../app/session-context.tsx';
import { compactNumber } from '../../../lib/format.ts';
import { useTranslations } from '../../../lib/words.ts';
import { Failure } from '../../../ui/failure.tsx';
import styles from '../bucket-settings.module.css';

const Chart = lazy(() => import('../../../ui/chart.tsx').then((module) => ({ default: module.Chart })));

const DAYS = 30;

export function UsageDays({ bucket }: { readonly bucket: string }) {
  const say = useTranslations('bucket-settings');
  const { client, account, serverNow } = useSession();
  const { data, error, refetch } = useQuery({
    queryKey: ['bucket-settings', account, bucket, 'days'],
    async queryFn({ signal }) {
      const days = lastDays(serverNow());
      const { days: counted = [] } = await client.accounts.usage({
        bucket,
        from: days[0] ?? '',
        to: days.at(-1) ?? '',
        signal,
      });
      const found = new Map(counted.map((each) => [each.day, each]));
      return {
        times: days.map((day) => Date.parse(day) / 1000),
        calls: days.map((day) => found.get(day)?.calls ?? 0),
        downloads: days.map((day) => found.get(day)?.downloads ?? 0),
      };
    },
    refetchInterval: 60_000,
  });
  const series = useMemo(
    () => [
      { name: say('quota.downloads'), colour: 1 as const, values: data?.downloads ?? [], fill: true },
      { name: say('quota.calls'), colour: 2 as const, values: data?.calls ?? [] },
    ],
    [data, say],
  );
  if (error !== null) return <Failure error={error} what={say('notRead')} again={() => void refetch()} />;
  if (data === undefined) return <div className={`skeleton ${styles.rulesSkeleton}`} aria-hidden />;
  return (
    <Suspense fallback={<div className={`skeleton ${styles.chartSkeleton}`} aria-hidden />}>
      <Chart
        title={say('quota.requests')}
        unit={say('quota.perDay')}
        times={data.times}
        series={series}
        format={compactNumber}
        when={dayOf}
        height={160}
        sync="usage"
      />
    </Suspense>
  );
}

/** `YYYY-MM-DD` in UTC, as the server counts them; today is the last. */
function lastDays(now: number): string[] {
  return Array.from({ length: DAYS }, (_, at) =>
    new Date(now - (DAYS - 1 - at) * DAY_MS).toISOString().slice(0, 10),
  );
}

/** `11-15` */
function dayOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(5, 10);
}
