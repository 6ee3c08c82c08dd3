/** The picture of a stream: live, or what was recorded of it. */
import type { StreamRecord } from '@millpond/client/session';
import { VideoOff } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useClient } from '../../../app/session-context.tsx';
import { number } from '../../../lib/format.ts';
import { useTranslations } from '../../../lib/words.ts';
import { Failure } from '../../../ui/failure.tsx';
import styles from '../live.module.css';
import { stateOf } from '../stream-state.ts';
import { Thumb } from '../thumb.tsx';
import type { RecordingClip } from './lanes.ts';
import { ClipPlayer } from './recorded.tsx';
import { useUrls } from './use-day.ts';

const HlsVideo = lazy(() => import('./hls-video.tsx').then(({ HlsVideo: made }) => ({ default: made })));

export function Player({
  stream,
  parts,
}: {
  readonly stream: Pick<
    StreamRecord,
    'nsId' | 'streamId' | 'status' | 'starting' | 'disabled' | 'lastPushedAt'
  >;
  /** What plays instead of the live picture. */
  readonly parts?: readonly RecordingClip[] | undefined;
}) {
  const say = useTranslations('live');
  const label = say('player', { stream: stream.streamId });
  if (parts !== undefined)
    return (
      <div className={styles.player}>
        <ClipPlayer key={keyOf(parts)} parts={parts} label={label} />
        <div className={styles.overlay}>
          <span className={styles.liveBadge}>{say('player.recorded')}</span>
        </div>
      </div>
    );
  if (!stream.status)
    return (
      <div className={`${styles.player} off`}>
        <Thumb ns={stream.nsId} stream={stream.streamId} isOnline={false} />
        <p>
          <VideoOff className="icon" aria-hidden />
          {say(`player.${stateOf(stream).word}`)}
        </p>
      </div>
    );
  return <LivePlayer ns={stream.nsId} stream={stream.streamId} label={label} />;
}

function LivePlayer({
  ns,
  stream,
  label,
}: {
  readonly ns: string;
  readonly stream: string;
  readonly label: string;
}) {
  const say = useTranslations('live');
  const client = useClient();
  const [behind, setBehind] = useState(0);
  const { data: urls, error, refetch } = useUrls(ns, stream);
  return (
    <div className={styles.player}>
      {error !== null && urls === undefined && <Failure error={error} again={() => void refetch()} />}
      {urls !== undefined && (
        <Suspense>
          <HlsVideo
            src={client.playUrl(urls.playUrls.hls)}
            label={label}
            onBehind={setBehind}
            onRefused={() => void refetch()}
          />
        </Suspense>
      )}
      <div className={styles.overlay}>
        <span className={styles.liveBadge}>
          <i />
          {say('player.live')}
        </span>
        {behind > 0 && (
          <span className={`${styles.liveLag} tabular`}>
            {say('player.behind', { seconds: number(behind, 1) })}
          </span>
        )}
      </div>
    </div>
  );
}

function keyOf(parts: readonly RecordingClip[]): string {
  return parts.map(({ recording, begin, end }) => `${recording.file} ${begin} ${end}`).join('\n');
}
