/** The queues where something waits, the longest first; all of them are under Engines. */
import { Link } from '@tanstack/react-router';
import { durationText, number } from '../../lib/format.ts';
import { useTranslations } from '../../lib/words.ts';
import { RecordTable } from '../../ui/records/record-table.tsx';
import { useQueues } from '../engines/queues.tsx';
import styles from './overview.module.css';

const SHOWN = 5;

export function Queues() {
  const say = useTranslations('overview');
  const queues = useQueues();
  return (
    <section className={`section ${styles.capacity}`} aria-labelledby="queues">
      <header>
        <h2 id="queues">{say('queues')}</h2>
        <Link to="/engines" className="link end">
          {say('queues.all')}
        </Link>
      </header>
      <RecordTable
        label={say('queues')}
        headers="hidden"
        className={styles.mini}
        rows={queues.data?.filter(({ waiting }) => waiting > 0).slice(0, SHOWN)}
        rowKey={({ name }) => name}
        query={queues}
        failure={say('queues.failed')}
        empty={<p className="quiet text-small">{say('queues.none')}</p>}
        columns={[
          { id: 'name', header: say('queue'), kind: 'code' },
          {
            id: 'waiting',
            header: say('depth.now'),
            kind: 'number',
            format: (waiting) => say('waiting', { number: number(waiting) }),
          },
          {
            id: 'oldest',
            header: say('oldest.now'),
            kind: 'number',
            tone: 'quiet',
            width: 72,
            value: ({ oldest }) => oldest * 1000,
            format: durationText,
          },
        ]}
      />
    </section>
  );
}
