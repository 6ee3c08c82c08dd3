/** The video of a channel: its stream's picture and day. Choosing a part of the day leads to the stream's own page. */
import { Link } from '@tanstack/react-router';
import { Camera } from 'lucide-react';
import { useClient } from '../../app/session-context.tsx';
import { useTranslations } from '../../lib/words.ts';
import { Button } from '../../ui/button.tsx';
import { useAction } from '../../ui/use-action.ts';
import liveStyles from '../live/live.module.css';
import { useNamespace, useStream } from '../live/queries.ts';
import { Day } from '../live/stream/day.tsx';
import { Events } from '../live/stream/events.tsx';
import { Player } from '../live/stream/player.tsx';
import { Snapshots } from '../live/stream/snapshots.tsx';
import { useDay } from '../live/stream/use-day.ts';
import styles from './devices.module.css';

export function Video({ ns, streamId }: { readonly ns: string; readonly streamId: string }) {
  const say = useTranslations('devices');
  const { data: stream } = useStream(ns, streamId);
  if (stream === undefined)
    return (
      <div className={`${liveStyles.player} off`}>
        <p>{say('noVideo')}</p>
      </div>
    );
  return <Player stream={stream} />;
}

/** Below the picture. */
export function VideoDay({ ns, streamId }: { readonly ns: string; readonly streamId: string }) {
  const { data: stream } = useStream(ns, streamId);
  const { data: namespace } = useNamespace(ns);
  return stream === undefined ? null : <Shown ns={ns} streamId={streamId} namespace={namespace} />;
}

function Shown({
  ns,
  streamId,
  namespace,
}: {
  readonly ns: string;
  readonly streamId: string;
  readonly namespace: ReturnType<typeof useNamespace>['data'];
}) {
  const { data: day } = useDay(ns, streamId, undefined);
  if (day === undefined) return null;
  return (
    <>
      <Day ns={ns} stream={streamId} facts={day} search={{}} />
      <div className={`${styles.streamBottom} ${liveStyles.streamBottom} ${styles.single}`}>
        <Events namespace={namespace} facts={day} />
      </div>
      <Snapshots snapshots={day.snapshots} />
    </>
  );
}

export function VideoActs({ ns, streamId }: { readonly ns: string; readonly streamId: string }) {
  const say = useTranslations('devices');
  const live = useTranslations('live');
  const client = useClient();
  const { data: stream } = useStream(ns, streamId);
  const snap = useAction({
    act: () => client.live.streams(ns).takeSnapshot(streamId),
    done: () => live('act.snapped'),
    renews: [['live']],
  });
  if (stream === undefined) return null;
  return (
    <>
      {stream.status && (
        <Button
          icon={<Camera className="icon" aria-hidden />}
          waits={snap.isPending}
          onClick={() => void snap.run()}
        >
          {live('act.snap')}
        </Button>
      )}
      <Link
        to="/live/$ns/streams/$stream"
        params={{ ns, stream: streamId }}
        search={({ account }) => ({ account })}
        className="button"
      >
        {say('toStream')}
      </Link>
    </>
  );
}
