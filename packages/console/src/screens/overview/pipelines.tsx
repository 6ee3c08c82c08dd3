/** The pipelines with work, the most waiting first. */
import type { OverviewRecord } from '@millpond/client/session';
import { Link } from '@tanstack/react-router';
import { number } from '../../lib/format.ts';
import { useTranslations } from '../../lib/words.ts';
import { StatusMark } from '../../ui/mark.tsx';
import { RecordTable } from '../../ui/records/record-table.tsx';
import styles from './overview.module.css';

const SHOWN = 5;

export function Pipelines({ overview }: { readonly overview: OverviewRecord }) {
  const say = useTranslations('overview');
  const busiest = overview.pipelines
    .toSorted((a, b) => b.waiting - a.waiting || b.running - a.running)
    .slice(0, SHOWN);
  if (busiest.length === 0) return null;
  return (
    <section className={`section ${styles.capacity}`} aria-labelledby="pipelines">
      <header>
        <h2 id="pipelines">{say('pipelines')}</h2>
        <Link to={'/pipelines' as '/'} className="link end">
          {say('pipelines.all')}
        </Link>
      </header>
      <RecordTable
        label={say('pipelines')}
        headers="hidden"
        className={styles.mini}
        rows={busiest}
        rowKey={({ name }) => name}
        columns={[
          {
            id: 'name',
            header: say('pipelines'),
            cell: ({ name, waiting, running, concurrency }) => (
              <span className="state">
                <StatusMark
                  state={waiting > 0 && running >= concurrency ? 'warn' : running > 0 ? 'busy' : 'ok'}
                />
                <span className="truncate">{name}</span>
              </span>
            ),
          },
          {
            id: 'waiting',
            header: say('depth.now'),
            kind: 'number',
            format: (waiting) => say('waiting', { number: number(waiting) }),
          },
          {
            id: 'running',
            header: say('fact.tasks.running'),
            kind: 'number',
            value: ({ running }) => running,
            cell: ({ running, concurrency }) => say('running', { number: `${running}/${concurrency}` }),
          },
        ]}
      />
    </section>
  );
}
