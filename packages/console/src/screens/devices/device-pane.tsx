/** One device: its state, its video, its channels, and what its menu needs. */
import type { ChannelRecord, DeviceRecord } from '@millpond/client/session';
import { Link } from '@tanstack/react-router';
import { useSession } from '../../app/session-context.tsx';
import { number, relativeTime, time } from '../../lib/format.ts';
import { useTranslations } from '../../lib/words.ts';
import { CommandTabs } from '../../ui/as-command.tsx';
import { Button } from '../../ui/button.tsx';
import { Copy } from '../../ui/copy.tsx';
import { Failure } from '../../ui/failure.tsx';
import { StatusMark } from '../../ui/mark.tsx';
import { RecordTable } from '../../ui/records/record-table.tsx';
import { quoted, useLiveCommands } from '../live/commands.ts';
import liveStyles from '../live/live.module.css';
import { DeviceActions } from './device-acts.tsx';
import { markOfChannel, markOfDevice } from './device-state.ts';
import styles from './devices.module.css';
import { MenuValues } from './menu-values.tsx';
import { useChannels, useDevice } from './queries.ts';
import { useVideo } from './use-video.ts';
import { Video, VideoActs, VideoDay } from './video.tsx';

export function DevicePane({ ns, gbId }: { readonly ns: string; readonly gbId: string }) {
  const say = useTranslations('devices');
  const commands = useLiveCommands();
  const { data: device, error, refetch } = useDevice(ns, gbId);
  const channels = useChannels(ns, gbId);
  if (error !== null && device === undefined)
    return <Failure error={error} what={say('failed')} again={() => void refetch()} />;
  if (device === undefined) return null;
  const all = channels.data?.pages.flatMap(({ items }) => items) ?? [];
  // A camera stands for itself: its picture is shown here. Those of a platform are on the pages of its channels.
  const own = device.type === 1 ? (all.find(({ media }) => media.wanted) ?? all[0]) : undefined;
  const streamId =
    device.type === 1 && device.media.wanted > 0 ? (own?.media.streamId ?? gbId) : own?.media.streamId;
  const path = `/namespaces/${ns}/devices/${gbId}`;
  const sdk = `client.live.devices(${quoted(ns)})`;
  return (
    <>
      <div className="pane-head">
        <h2 className="truncate">{device.name || gbId}</h2>
        <span className="tag desktop-only">{say(`type.${device.type}`)}</span>
        <span className="state text-small soft">
          <StatusMark state={markOfDevice(device)} />
          {say(`state.${device.state}`)}
        </span>
        <span className="end" />
        {streamId !== undefined && <VideoActs ns={ns} streamId={streamId} />}
        <DeviceActions device={device} />
      </div>
      <div className="scroll">
        {device.media.reason !== '' && (
          <p className="note warn apart">
            <StatusMark state="warn" />
            {device.media.reason}
          </p>
        )}
        <div
          className={
            streamId === undefined
              ? `${styles.top} ${liveStyles.top} ${styles.bare}`
              : `${styles.top} ${liveStyles.top}`
          }
        >
          {streamId !== undefined && <Video ns={ns} streamId={streamId} />}
          <Facts device={device} />
        </div>
        {streamId !== undefined && <VideoDay ns={ns} streamId={streamId} />}
        {device.state === 'notReg' && (
          <div className={liveStyles.padded}>
            <MenuValues device={device} />
          </div>
        )}
        {all.length > 0 && <Channels ns={ns} gbId={gbId} channels={all} />}
        <section className={`${liveStyles.padded} ${liveStyles.same}`}>
          <h2>{say('asCommand')}</h2>
          <CommandTabs
            commands={commands(
              { path, sdk: `const device = await ${sdk}.get(${quoted(gbId)});` },
              {
                path: `${path}/start`,
                method: 'POST',
                json: { channels: [] },
                sdk: `await ${sdk}.start(${quoted(gbId)});`,
              },
              { path: `${path}/stop`, method: 'POST', json: {}, sdk: `await ${sdk}.stop(${quoted(gbId)});` },
            )}
          />
        </section>
      </div>
    </>
  );
}

function Facts({ device }: { readonly device: DeviceRecord }) {
  const say = useTranslations('devices');
  const { serverNow } = useSession();
  const { gbId, username, vendor, desc, lastRegisterAt, lastKeepaliveAt, channels, media } = device;
  const moment = (at: number) =>
    at === 0 ? (
      <span className="quiet">{say('never')}</span>
    ) : (
      <span title={time(at * 1000)}>{relativeTime(at * 1000, serverNow())}</span>
    );
  return (
    <div className={`${styles.streamFacts} ${liveStyles.streamFacts}`}>
      <dl className="key-values">
        <dt>{say('gbId')}</dt>
        <dd>
          <code className="truncate">{gbId}</code>
          <Copy text={gbId} />
        </dd>
        {username !== '' && username !== gbId && (
          <>
            <dt>{say('username')}</dt>
            <dd>
              <code className="truncate">{username}</code>
            </dd>
          </>
        )}
        {desc !== '' && (
          <>
            <dt>{say('desc')}</dt>
            <dd className="truncate">{desc}</dd>
          </>
        )}
        {vendor !== '' && (
          <>
            <dt>{say('vendor')}</dt>
            <dd className="truncate">{vendor}</dd>
          </>
        )}
        <dt>{say('registered')}</dt>
        <dd>{moment(lastRegisterAt)}</dd>
        <dt>{say('heard')}</dt>
        <dd>{moment(lastKeepaliveAt)}</dd>
        <dt>{say('channels')}</dt>
        <dd className="tabular">{number(channels)}</dd>
        <dt>{say('video')}</dt>
        <dd className="tabular">
          {media.wanted === 0
            ? say('notWanted')
            : say('runs', { running: number(media.running), wanted: number(media.wanted) })}
        </dd>
      </dl>
    </div>
  );
}

function Channels({
  ns,
  gbId,
  channels,
}: {
  readonly ns: string;
  readonly gbId: string;
  readonly channels: readonly ChannelRecord[];
}) {
  const say = useTranslations('devices');
  const query = useChannels(ns, gbId);
  return (
    <section className={styles.channels} aria-labelledby="channels">
      <div className="section-head">
        <h2 id="channels">{say('channels')}</h2>
        <span className="quiet text-small tabular">
          {number(query.data?.pages[0]?.total ?? channels.length)}
        </span>
      </div>
      <RecordTable
        label={say('channels')}
        rows={channels}
        rowKey={(channel) => channel.gbId}
        query={query}
        columns={[
          {
            id: 'name',
            header: say('name'),
            value: ({ name }) => name,
            cell: (channel) => (
              <span className="row">
                <StatusMark state={markOfChannel(channel)} label={say(`state.${channel.state}`)} />
                <Link
                  to="/devices/$ns/$gbId/$channel"
                  params={{ ns, gbId, channel: channel.gbId }}
                  search={({ account }) => ({ account })}
                  className="truncate"
                >
                  {channel.name || channel.gbId}
                </Link>
              </span>
            ),
          },
          { id: 'gbId', header: say('gbId'), kind: 'code', tone: 'quiet', onPhone: 'hidden' },
          {
            id: 'video',
            header: say('video'),
            tone: 'soft',
            value: ({ media }) =>
              media.reason || say(media.state === '' ? 'notWanted' : `media.${media.state}`),
          },
          {
            id: 'actions',
            header: say('moreActs'),
            kind: 'actions',
            width: 110,
            cell: (channel) => <ChannelVideo ns={ns} gbId={gbId} channel={channel} />,
          },
        ]}
      />
    </section>
  );
}

function ChannelVideo({
  ns,
  gbId,
  channel: { gbId: id, media },
}: {
  readonly ns: string;
  readonly gbId: string;
  readonly channel: ChannelRecord;
}) {
  const say = useTranslations('devices');
  const { start, stop } = useVideo(ns, gbId, [id]);
  const { isPending, run } = media.wanted ? stop : start;
  return (
    <Button kind="link" waits={isPending} onClick={() => void run()}>
      {say(media.wanted ? 'stopOne' : 'startOne')}
    </Button>
  );
}
