/** What is stored, by class. */
import type { OverviewRecord } from '@millpond/client/session';
import { bytes, compactNumber, percent } from '../../lib/format.ts';
import { useTranslations } from '../../lib/words.ts';
import { CLASSES } from '../../ui/depth.tsx';
import styles from './overview.module.css';

export function Capacity({ overview }: { readonly overview: OverviewRecord }) {
  const say = useTranslations('overview');
  const common = useTranslations('common');
  const rows = CLASSES.map((type) => ({
    type,
    stored: overview.bytes[type] ?? 0,
    objects: overview.objects[type] ?? 0,
  }));
  const all = rows.reduce((sum, { stored }) => sum + stored, 0);
  const objects = rows.reduce((sum, row) => sum + row.objects, 0);
  const share = (part: number) => (all === 0 ? 0 : part / all);
  return (
    <>
      <header>
        <h2 id="capacity">{say('capacity')}</h2>
        <span className="tabular end">
          <b className="weight-medium">{bytes(all)}</b>{' '}
          <span className="quiet">
            {say('inObjects', { count: objects, number: compactNumber(objects) })}
          </span>
        </span>
      </header>
      <div className={styles.stack} aria-hidden>
        {rows.map(({ type, stored }) => (
          <i key={type} className={styles[`class${type}`]} style={{ width: `${share(stored) * 100}%` }} />
        ))}
      </div>
      <table className={`table ${styles.mini}`} aria-labelledby="capacity">
        <tbody>
          {rows.map(({ type, stored, objects: count }) => (
            <tr key={type}>
              <td>
                <span className="row">
                  <i className={`${styles.swatch} ${styles[`class${type}`]}`} />
                  {common(`class.${type}`)}
                </span>
              </td>
              <td className="numeric" style={{ width: 72 }}>
                {bytes(stored)}
              </td>
              <td className="numeric quiet" style={{ width: 44 }}>
                {compactNumber(count)}
              </td>
              <td className="numeric quiet" style={{ width: 52 }}>
                {percent(share(stored))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
