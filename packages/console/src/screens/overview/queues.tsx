/** The queues where something waits, the longest first; all of them are under Engines. */
import { Link } from '@tanstack/react-router';
import { durationText, number } from '../../lib/format.ts';
import { useTranslations } from '../../lib/words.ts';
import { Failure } from '../../ui/failure.tsx';
import { useQueues } from '../engines/queues.tsx';
import styles from './overview.module.css';

const SHOWN = 5;

export function Queues() {
  const say = useTranslations('overview');
  const { data, error, refetch } = useQueues();
  const waiting = data?.filter((row) => row.waiting > 0) ?? [];
  return (
    <section className={`section ${styles.capacity}`} aria-labelledby="queues">
      <header>
        <h2 id="queues">{say('queues')}</h2>
        <Link to="/engines" className="link end">
          {say('queues.all')}
        </Link>
      </header>
      {error !== null && data === undefined && <Failure error={error} again={() => void refetch()} />}
      {data !== undefined && waiting.length === 0 && <p className="quiet text-small">{say('queues.none')}</p>}
      <table className={`table ${styles.mini}`} aria-labelledby="queues">
        <tbody>
          {waiting.slice(0, SHOWN).map(({ name, waiting: depth, oldest }) => (
            <tr key={name}>
              <td className="mono truncate">{name}</td>
              <td className="numeric">{say('waiting', { number: number(depth) })}</td>
              <td className="numeric quiet" style={{ width: 72 }}>
                {durationText(oldest * 1000)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
