/** The last snapshots of a stream. */
import type { SnapshotRecord } from '@millpond/client/session';
import { useClient } from '../../../app/session-context.tsx';
import { clock, number, time } from '../../../lib/format.ts';
import { useTranslations } from '../../../lib/words.ts';
import { ObjectLink } from '../../../ui/object-link.tsx';
import styles from '../live.module.css';

const MOST = 12;

export function Snapshots({ snapshots }: { readonly snapshots: readonly SnapshotRecord[] }) {
  const say = useTranslations('live');
  const client = useClient();
  if (snapshots.length === 0) return null;
  return (
    <section className={styles.snapshots} aria-labelledby="snapshots">
      <div className="section-head">
        <h2 id="snapshots">{say('snapshots')}</h2>
        <span className="quiet text-small tabular">{number(snapshots.length)}</span>
      </div>
      <ul>
        {snapshots.slice(0, MOST).map(({ bucket, file, time: at }) => (
          <li key={`${file} ${at}`}>
            <ObjectLink bucket={bucket} name={file}>
              <span className={styles.thumbnail}>
                <img
                  src={`${client.objectUrl(bucket, file)}#${at}`}
                  alt={say('snapshots.at', { at: time(at * 1000) })}
                  loading="lazy"
                />
              </span>
              <span className="text-small quiet tabular">{clock(at * 1000)}</span>
            </ObjectLink>
          </li>
        ))}
      </ul>
    </section>
  );
}
