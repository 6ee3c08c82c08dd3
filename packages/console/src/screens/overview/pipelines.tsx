/** The pipelines with work, the most waiting first. */
import type { OverviewRecord } from '@millpond/client/session';
import { Link } from '@tanstack/react-router';
import { number } from '../../lib/format.ts';
import { useTranslations } from '../../lib/words.ts';
import { StatusMark } from '../../ui/mark.tsx';
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
      <table className={`table ${styles.mini}`}>
        <tbody>
          {busiest.map(({ name, waiting, running, concurrency }) => (
            <tr key={name}>
              <td>
                <span className="state">
                  <StatusMark
                    state={waiting > 0 && running >= concurrency ? 'warn' : running > 0 ? 'busy' : 'ok'}
                  />
                  <span className="truncate">{name}</span>
                </span>
              </td>
              <td className="numeric">{say('waiting', { number: number(waiting) })}</td>
              <td className="numeric">{say('running', { number: `${running}/${concurrency}` })}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
