/** Plays parts of recordings one after another, as if they were one. The browser reads only what it shows. */
import { useState } from 'react';
import { useClient } from '../../../app/session-context.tsx';
import { useTranslations } from '../../../lib/words.ts';
import styles from '../live.module.css';
import type { RecordingClip } from './lanes.ts';

export function ClipPlayer({
  parts,
  label,
}: {
  readonly parts: readonly RecordingClip[];
  readonly label: string;
}) {
  const say = useTranslations('live');
  const client = useClient();
  const [at, setAt] = useState(0);
  const [hasFailed, setFailed] = useState(false);
  const part = parts[at];
  if (part === undefined) return <p className={styles.waits}>{say('player.over')}</p>;
  const { recording, begin, end } = part;
  const isCut = end < recording.end - recording.start;
  const next = () => {
    if (at + 1 < parts.length) setAt(at + 1);
  };
  return (
    <>
      <video
        key={recording.file}
        src={client.objectUrl(recording.bucket, recording.file)}
        controls
        autoPlay
        muted
        playsInline
        aria-label={label}
        onLoadedMetadata={({ currentTarget }) => {
          if (begin > 0) currentTarget.currentTime = begin;
        }}
        onTimeUpdate={({ currentTarget }) => {
          if (!isCut || currentTarget.currentTime < end) return;
          if (at + 1 < parts.length) next();
          else currentTarget.pause();
        }}
        onEnded={next}
        onError={() => setFailed(true)}
      />
      {hasFailed && <p className={styles.waits}>{say('player.failed')}</p>}
    </>
  );
}
