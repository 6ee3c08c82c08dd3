/** What needs somebody now: receivers that are away, tasks that failed, engines that are not well. Nothing, if all is well. */
import type { OverviewRecord } from '@millpond/client/session';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useSession } from '../../app/session-context.tsx';
import { number, shortTime } from '../../lib/format.ts';
import { useTranslations } from '../../lib/words.ts';
import { StatusMark } from '../../ui/mark.tsx';
import { useHealth } from '../engines/health.ts';
import styles from './overview.module.css';

export function AttentionList({ overview }: { readonly overview: OverviewRecord }) {
  const say = useTranslations('overview');
  const { operator } = useSession();
  const rows = [
    ...overview.endpointsAway.map(({ endpoint, name, since, words, waiting }) => (
      <Need
        key={`endpoint ${endpoint}`}
        title={say('away', { name })}
        words={[say('away.waiting', { count: waiting, number: number(waiting) }), words]
          .filter(Boolean)
          .join(' · ')}
        since={since}
        act={
          <Link to={`/endpoints/${encodeURIComponent(endpoint)}` as '/'} className="link">
            {say('away.open')}
          </Link>
        }
      />
    )),
    ...(overview.tasks.failedToday > 0
      ? [
          <Need
            key="tasks"
            title={say('tasksFailed', {
              count: overview.tasks.failedToday,
              number: number(overview.tasks.failedToday),
            })}
            words={say('tasksFailed.words')}
            act={
              <Link to={'/tasks' as '/'} search={{ state: 'failed' } as never} className="link">
                {say('tasksFailed.open')}
              </Link>
            }
          />,
        ]
      : []),
  ];
  const engines = operator ? <Unwell /> : null;
  return (
    <ul className={styles.attention} aria-label={say('needs')}>
      {rows}
      {engines}
    </ul>
  );
}

function Unwell() {
  const say = useTranslations('overview');
  const { data } = useHealth();
  return data?.items
    .filter(({ state }) => state === 'bad' || state === 'warn')
    .map(({ engine, name, state, words, do: act, since }) => (
      <Need
        key={`${engine} ${name}`}
        mark={state === 'bad' ? 'bad' : 'warn'}
        title={`${say(`engine.${engine}`)} ${name}`}
        words={[words, act].filter(Boolean).join(' · ')}
        since={since}
        act={
          <Link to="/engines" className="link">
            {say('engines.all')}
          </Link>
        }
      />
    ));
}

function Need({
  mark = 'bad',
  title,
  words,
  since,
  act,
}: {
  readonly mark?: 'bad' | 'warn';
  readonly title: string;
  readonly words: string;
  readonly since?: string | undefined;
  readonly act: ReactNode;
}) {
  const say = useTranslations('overview');
  return (
    <li>
      <StatusMark state={mark} label={say(`state.${mark}`)} />
      <b>{title}</b>
      <span className={`soft truncate ${styles.reason}`} title={words}>
        {words}
      </span>
      <span className={`quiet nowrap tabular ${styles.since}`}>
        {since === undefined ? '' : say('since', { time: shortTime(since) })}
      </span>
      {act}
    </li>
  );
}
