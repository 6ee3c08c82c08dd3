/** One channel of a device: its video. */
import { Link } from '@tanstack/react-router';
import { Play, Square } from 'lucide-react';
import { time } from '../../lib/format.ts';
import { useTranslations } from '../../lib/words.ts';
import { CommandTabs } from '../../ui/as-command.tsx';
import { Button } from '../../ui/button.tsx';
import { Copy } from '../../ui/copy.tsx';
import { Failure } from '../../ui/failure.tsx';
import { StatusMark } from '../../ui/mark.tsx';
import { quoted, useLiveCommands } from '../live/commands.ts';
import liveStyles from '../live/live.module.css';
import { markOfChannel } from './device-state.ts';
import styles from './devices.module.css';
import { useChannel, useDevice } from './queries.ts';
import { useVideo } from './use-video.ts';
import { Video, VideoActs, VideoDay } from './video.tsx';

export function ChannelPane({
  ns,
  gbId,
  channel: id,
}: {
  readonly ns: string;
  readonly gbId: string;
  readonly channel: string;
}) {
  const say = useTranslations('devices');
  const commands = useLiveCommands();
  const { data: device } = useDevice(ns, gbId);
  const { data: channel, error, refetch } = useChannel(ns, gbId, id);
  const { start, stop } = useVideo(ns, gbId, [id]);
  if (error !== null && channel === undefined)
    return <Failure error={error} what={say('failed')} again={() => void refetch()} />;
  if (channel === undefined) return null;
  const { media, name, state, vendor, lastSyncAt } = channel;
  const path = `/namespaces/${ns}/devices/${gbId}`;
  const sdk = `client.live.devices(${quoted(ns)})`;
  return (
    <>
      <div className="pane-head">
        <Link
          to="/devices/$ns/$gbId"
          params={{ ns, gbId }}
          search={({ account }) => ({ account })}
          className="soft truncate"
        >
          {device?.name || gbId}
        </Link>
        <span className="separator">/</span>
        <h2 className="truncate">{name || id}</h2>
        <span className="state text-small soft">
          <StatusMark state={markOfChannel(channel)} />
          {say(`state.${state}`)}
        </span>
        <span className="end" />
        <VideoActs ns={ns} streamId={media.streamId} />
        {media.wanted ? (
          <Button
            icon={<Square className="icon" aria-hidden />}
            waits={stop.isPending}
            onClick={() => void stop.run()}
          >
            {say('stop')}
          </Button>
        ) : (
          <Button
            kind="primary"
            icon={<Play className="icon" aria-hidden />}
            waits={start.isPending}
            onClick={() => void start.run()}
          >
            {say('start')}
          </Button>
        )}
      </div>
      <div className="scroll">
        {media.reason !== '' && (
          <p className="note warn apart">
            <StatusMark state="warn" />
            {media.reason}
          </p>
        )}
        <div className={`${styles.top} ${liveStyles.top}`}>
          <Video ns={ns} streamId={media.streamId} />
          <div className={`${styles.streamFacts} ${liveStyles.streamFacts}`}>
            <dl className="key-values">
              <dt>{say('gbId')}</dt>
              <dd>
                <code className="truncate">{id}</code>
                <Copy text={id} />
              </dd>
              <dt>{say('video')}</dt>
              <dd>{say(media.state === '' ? 'notWanted' : `media.${media.state}`)}</dd>
              {vendor !== '' && (
                <>
                  <dt>{say('vendor')}</dt>
                  <dd className="truncate">{vendor}</dd>
                </>
              )}
              <dt>{say('listed')}</dt>
              <dd className="tabular">{time(lastSyncAt * 1000)}</dd>
            </dl>
          </div>
        </div>
        <VideoDay ns={ns} streamId={media.streamId} />
        <section className={`${liveStyles.padded} ${liveStyles.same}`}>
          <h2>{say('asCommand')}</h2>
          <CommandTabs
            commands={commands(
              {
                path: `${path}/channels/${id}`,
                sdk: `const channel = await ${sdk}.channel(${quoted(gbId)}, ${quoted(id)});`,
              },
              {
                path: `${path}/${media.wanted ? 'stop' : 'start'}`,
                method: 'POST',
                json: { channels: [id] },
                sdk: `await ${sdk}.${media.wanted ? 'stop' : 'start'}(${quoted(gbId)}, { channels: [${quoted(id)}] });`,
              },
            )}
          />
        </section>
      </div>
    </>
  );
}
