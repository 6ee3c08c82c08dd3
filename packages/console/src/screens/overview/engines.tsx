/** How the engines are, in a line each; the whole is under Engines. */
import { Link } from '@tanstack/react-router';
import { bytes, milliseconds, percent } from '../../lib/format.ts';
import { useTranslations } from '../../lib/words.ts';
import { Failure } from '../../ui/failure.tsx';
import { StatusMark } from '../../ui/mark.tsx';
import { useHealth } from '../engines/health.ts';
import styles from './overview.module.css';

export function Engines() {
  const say = useTranslations('overview');
  const { data, error, refetch } = useHealth();
  return (
    <section className="section" aria-labelledby="engines">
      <header>
        <h2 id="engines">{say('engines')}</h2>
        <Link to="/engines" className="link end">
          {say('engines.all')}
        </Link>
      </header>
      {error !== null && data === undefined && <Failure error={error} again={() => void refetch()} />}
      <ul className={styles.engineList}>
        {data?.items.map(({ engine, name, state, ms, words }) => (
          <li key={`${engine} ${name}`}>
            <StatusMark state={state} label={say(`state.${state}`)} />
            <span className="truncate" title={name}>
              {say(`engine.${engine}`)} <span className="quiet">{name}</span>
            </span>
            <span className={`tabular ${styles.value}`}>{ms === undefined ? '' : milliseconds(ms)}</span>
            <span className={`quiet text-small ${styles.reason} truncate`} title={words}>
              {words}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

export function RawCapacity() {
  const say = useTranslations('overview');
  const { capacity } = useHealth().data ?? {};
  if (capacity === undefined) return null;
  const share = capacity.total === 0 ? 0 : capacity.used / capacity.total;
  return (
    <div className={`${styles.rawCapacity} text-small`}>
      <div className="row">
        <span>{say('raw')}</span>
        <span className="end tabular">
          {say('raw.of', { used: bytes(capacity.used), total: bytes(capacity.total) })}
        </span>
      </div>
      <div className={`meter ${share > 0.85 ? 'bad' : ''}`} role="img" aria-label={percent(share)}>
        <i style={{ width: `${Math.min(100, share * 100)}%` }} />
      </div>
    </div>
  );
}
