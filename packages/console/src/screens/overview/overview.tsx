/** What needs somebody now, how the installation does, and where to look. */
import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, getRouteApi, useNavigate } from '@tanstack/react-router';
import { useSession } from '../../app/session-context.tsx';
import { useCurl } from '../../lib/curl.ts';
import { useTranslations } from '../../lib/words.ts';
import { CommandTabs } from '../../ui/as-command.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Screen } from '../../ui/screen.tsx';
import { Segments } from '../../ui/segments.tsx';
import { Capacity } from './capacity.tsx';
import { Days } from './days.tsx';
import { Engines, RawCapacity } from './engines.tsx';
import { Failures } from './failures.tsx';
import { Figures } from './figures.tsx';
import { AttentionList } from './needs.tsx';
import styles from './overview.module.css';
import { Pipelines } from './pipelines.tsx';
import { Queues } from './queues.tsx';
import { RANGES, type Range } from './range.ts';

const EVERY_MS = 5_000;
const route = getRouteApi('/shell/');

function Overview() {
  const say = useTranslations('overview');
  const curl = useCurl();
  const { client, account, operator } = useSession();
  const { range = '6h' } = route.useSearch();
  const navigate = useNavigate();
  const { data, error, refetch } = useQuery({
    queryKey: ['overview', account],
    queryFn: ({ signal }) => client.overview({ signal }),
    refetchInterval: EVERY_MS,
  });
  // How much stands above the rest is not known before, and what one already reads should not move.
  const isWaiting = data === undefined && error === null;
  // The figures are of the whole installation.
  const hasFigures = operator && account === undefined;
  const choose = (next: Range) => void navigate({ to: '/', search: (was) => ({ ...was, range: next }) });
  return (
    <Screen
      title={say('title')}
      className={styles.screen}
      acts={
        hasFigures && (
          <Segments
            label={say('range')}
            value={range}
            options={(Object.keys(RANGES) as Range[]).map((value) => ({
              value,
              words: say(`range.${value}`),
            }))}
            onChange={choose}
          />
        )
      }
    >
      <div className={styles.overview}>
        {error !== null && <Failure error={error} what={say('failed')} again={() => void refetch()} />}
        {isWaiting && <div className="skeleton" aria-hidden />}
        {data !== undefined && <AttentionList overview={data} />}
        <div className={isWaiting ? `${styles.columns} ${styles.waiting}` : styles.columns}>
          <div className={styles.left}>
            {hasFigures ? <Figures range={range} /> : data !== undefined && <Days overview={data} />}
            <Failures />
          </div>
          <aside className={styles.right} aria-label={say('aside')}>
            {hasFigures && <Engines />}
            {data !== undefined && (
              <>
                <section className={`section ${styles.capacity}`}>
                  <Capacity overview={data} />
                  {hasFigures && <RawCapacity />}
                </section>
                {hasFigures && <Queues />}
                <Pipelines overview={data} />
              </>
            )}
            <section className={`section ${styles.capacity}`}>
              <CommandTabs
                commands={{
                  curl: curl({ role: 'api', target: '/v1/overview' }),
                  cli: 'millpond overview\nmillpond failures',
                  sdk: 'await client.overview();\nawait client.failures({ limit: 12 });',
                }}
              />
            </section>
          </aside>
        </div>
      </div>
    </Screen>
  );
}

export const OverviewScreen = createLazyRoute('/shell/')({ component: Overview });
