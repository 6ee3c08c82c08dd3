/** The last snapshot of a stream, small. */
import { VideoOff } from 'lucide-react';
import { useState } from 'react';
import { useClient } from '../../app/session-context.tsx';
import styles from './live.module.css';
import { useLastSnapshot } from './queries.ts';

export function Thumb({
  ns,
  stream,
  isOnline,
}: {
  readonly ns: string;
  readonly stream: string;
  readonly isOnline: boolean;
}) {
  const client = useClient();
  const { data } = useLastSnapshot(ns, stream);
  const [failed, setFailed] = useState<number | undefined>();
  const isShown = data !== undefined && data !== null && failed !== data.time;
  return (
    <span className={`${styles.thumbnail} ${isOnline ? '' : styles.outdated}`}>
      {isShown ? (
        // A picture under one name changes: its time makes it another address.
        <img
          src={`${client.objectUrl(data.bucket, data.file)}#${data.time}`}
          alt=""
          loading="lazy"
          onError={() => setFailed(data.time)}
        />
      ) : (
        <VideoOff className="icon" aria-hidden />
      )}
    </span>
  );
}
