/** The pictures of a namespace's streams, side by side. */
import { Link } from '@tanstack/react-router';
import { useTranslations } from '../../lib/words.ts';
import { StatusMark } from '../../ui/mark.tsx';
import styles from './live.module.css';
import { useStreams } from './queries.ts';
import type { NamespaceSearch } from './search.ts';
import { stateOf } from './stream-state.ts';
import { Thumb } from './thumb.tsx';

/** Each picture is a request of its own. */
const MOST = 48;

export function SnapshotGrid({ ns, search }: { readonly ns: string; readonly search: NamespaceSearch }) {
  const say = useTranslations('live');
  const { data } = useStreams(ns, search);
  const streams = (data?.pages[0]?.items ?? []).slice(0, MOST);
  return (
    <ul className={styles.snapshotGrid}>
      {streams.map((stream) => {
        const { mark, word } = stateOf(stream);
        return (
          <li key={stream.streamId}>
            <Link
              to="/live/$ns/streams/$stream"
              params={{ ns, stream: stream.streamId }}
              search={({ account }) => ({ account, ...search })}
            >
              <Thumb ns={ns} stream={stream.streamId} isOnline={stream.status} />
              <span className="row">
                <StatusMark state={mark} label={say(`state.${word}`)} />
                <span className="truncate">{stream.streamId}</span>
                <span className="end text-small quiet nowrap">{say(`state.${word}`)}</span>
              </span>
            </Link>
          </li>
        );
      })}
    </ul>
  );
}
