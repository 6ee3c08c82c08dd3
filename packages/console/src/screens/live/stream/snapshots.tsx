/** The last snapshots of a stream. */
import type { SnapshotRecord } from '@millpond/client/session';
import { useClient } from '../../../app/session-context.tsx';
import { clock, number, time } from '../../../lib/format.ts';
import { useWords } from '../../../lib/words.ts';
import { ObjectLink } from '../../../ui/object-link.tsx';

const MOST = 12;

export function Snapshots({ snapshots }: { readonly snapshots: readonly SnapshotRecord[] }) {
  const say = useWords('live');
  const client = useClient();
  if (snapshots.length === 0) return null;
  return (
    <section className="snaps" aria-labelledby="snapshots">
      <div className="sec-h">
        <h2 id="snapshots">{say('snapshots')}</h2>
        <span className="quiet sm tnum">{number(snapshots.length)}</span>
      </div>
      <ul>
        {snapshots.slice(0, MOST).map(({ bucket, file, time: at }) => (
          <li key={`${file} ${at}`}>
            <ObjectLink bucket={bucket} name={file}>
              <span className="th">
                <img
                  src={`${client.objectUrl(bucket, file)}#${at}`}
                  alt={say('snapshots.at', { at: time(at * 1000) })}
                  loading="lazy"
                />
              </span>
              <span className="sm quiet tnum">{clock(at * 1000)}</span>
            </ObjectLink>
          </li>
        ))}
      </ul>
    </section>
  );
}
