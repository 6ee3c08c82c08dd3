/** One device: its state, its video, its channels, and what its menu needs. */
import type { ChannelRecord, DeviceRecord } from '@millpond/client/session';
import { Link } from '@tanstack/react-router';
import { useSession } from '../../app/session-context.tsx';
import { ago, number, time } from '../../lib/format.ts';
import { useWords } from '../../lib/words.ts';
import { AsCommand } from '../../ui/as-command.tsx';
import { Button } from '../../ui/button.tsx';
import { Copy } from '../../ui/copy.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Mark } from '../../ui/mark.tsx';
import { quoted, useLiveCommands } from '../live/commands.ts';
import { DeviceActs } from './device-acts.tsx';
import { markOfChannel, markOfDevice } from './device-state.ts';
import { MenuValues } from './menu-values.tsx';
import { useChannels, useDevice } from './queries.ts';
import { useVideo } from './use-video.ts';
import { Video, VideoActs, VideoDay } from './video.tsx';

export function DevicePane({ ns, gbId }: { readonly ns: string; readonly gbId: string }) {
  const say = useWords('devices');
  const commands = useLiveCommands();
  const { data: device, error, refetch } = useDevice(ns, gbId);
  const { data: channels } = useChannels(ns, gbId);
  if (error !== null && device === undefined)
    return <Failure error={error} what={say('failed')} again={() => void refetch()} />;
  if (device === undefined) return null;
  const all = channels?.pages.flatMap(({ items }) => items) ?? [];
  // A camera stands for itself: its picture is shown here. Those of a platform are on the pages of its channels.
  const own = device.type === 1 ? (all.find(({ media }) => media.wanted) ?? all[0]) : undefined;
  const streamId =
    device.type === 1 && device.media.wanted > 0 ? (own?.media.streamId ?? gbId) : own?.media.streamId;
  const path = `/namespaces/${ns}/devices/${gbId}`;
  const sdk = `client.live.devices(${quoted(ns)})`;
  return (
    <>
      <div className="pane-h">
        <h2 className="cut">{device.name || gbId}</h2>
        <span className="tag desk-only">{say(`type.${device.type}`)}</span>
        <span className="st sm soft">
          <Mark state={markOfDevice(device)} />
          {say(`state.${device.state}`)}
        </span>
        <span className="end" />
        {streamId !== undefined && <VideoActs ns={ns} streamId={streamId} />}
        <DeviceActs device={device} />
      </div>
      <div className="scroll">
        {device.media.reason !== '' && (
          <p className="note warn apart">
            <Mark state="warn" />
            {device.media.reason}
          </p>
        )}
        <div className={streamId === undefined ? 'top bare' : 'top'}>
          {streamId !== undefined && <Video ns={ns} streamId={streamId} />}
          <Facts device={device} />
        </div>
        {streamId !== undefined && <VideoDay ns={ns} streamId={streamId} />}
        {device.state === 'notReg' && (
          <div className="pad">
            <MenuValues device={device} />
          </div>
        )}
        {all.length > 0 && (
          <Channels ns={ns} gbId={gbId} channels={all} total={channels?.pages[0]?.total ?? all.length} />
        )}
        <section className="pad same">
          <h2>{say('asCommand')}</h2>
          <AsCommand
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
  const say = useWords('devices');
  const { serverNow } = useSession();
  const { gbId, username, vendor, desc, lastRegisterAt, lastKeepaliveAt, channels, media } = device;
  const moment = (at: number) =>
    at === 0 ? (
      <span className="quiet">{say('never')}</span>
    ) : (
      <span title={time(at * 1000)}>{ago(at * 1000, serverNow())}</span>
    );
  return (
    <div className="fx">
      <dl className="kv">
        <dt>{say('gbId')}</dt>
        <dd>
          <code className="cut">{gbId}</code>
          <Copy text={gbId} />
        </dd>
        {username !== '' && username !== gbId && (
          <>
            <dt>{say('username')}</dt>
            <dd>
              <code className="cut">{username}</code>
            </dd>
          </>
        )}
        {desc !== '' && (
          <>
            <dt>{say('desc')}</dt>
            <dd className="cut">{desc}</dd>
          </>
        )}
        {vendor !== '' && (
          <>
            <dt>{say('vendor')}</dt>
            <dd className="cut">{vendor}</dd>
          </>
        )}
        <dt>{say('registered')}</dt>
        <dd>{moment(lastRegisterAt)}</dd>
        <dt>{say('heard')}</dt>
        <dd>{moment(lastKeepaliveAt)}</dd>
        <dt>{say('channels')}</dt>
        <dd className="tnum">{number(channels)}</dd>
        <dt>{say('video')}</dt>
        <dd className="tnum">
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
  total,
}: {
  readonly ns: string;
  readonly gbId: string;
  readonly channels: readonly ChannelRecord[];
  readonly total: number;
}) {
  const say = useWords('devices');
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = useChannels(ns, gbId);
  return (
    <section className="channels" aria-labelledby="channels">
      <div className="sec-h">
        <h2 id="channels">{say('channels')}</h2>
        <span className="quiet sm tnum">{number(total)}</span>
      </div>
      <table className="table">
        <thead>
          <tr>
            <th scope="col">{say('name')}</th>
            <th scope="col" className="desk-only">
              {say('gbId')}
            </th>
            <th scope="col">{say('video')}</th>
            <th scope="col" className="w-act">
              <span className="vh">{say('moreActs')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {channels.map((channel) => (
            <ChannelRow key={channel.gbId} ns={ns} gbId={gbId} channel={channel} />
          ))}
        </tbody>
      </table>
      {hasNextPage && (
        <Button kind="link" waits={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {say('more')}
        </Button>
      )}
    </section>
  );
}

function ChannelRow({
  ns,
  gbId,
  channel,
}: {
  readonly ns: string;
  readonly gbId: string;
  readonly channel: ChannelRecord;
}) {
  const say = useWords('devices');
  const { media } = channel;
  const { start, stop } = useVideo(ns, gbId, [channel.gbId]);
  return (
    <tr>
      <td>
        <span className="row">
          <Mark state={markOfChannel(channel)} label={say(`state.${channel.state}`)} />
          <Link
            to="/devices/$ns/$gbId/$channel"
            params={{ ns, gbId, channel: channel.gbId }}
            search={({ account }) => ({ account })}
            className="cut"
          >
            {channel.name || channel.gbId}
          </Link>
        </span>
      </td>
      <td className="mono quiet desk-only">{channel.gbId}</td>
      <td className="soft">
        {media.reason || say(media.state === '' ? 'notWanted' : `media.${media.state}`)}
      </td>
      <td className="acts">
        {media.wanted ? (
          <Button kind="link" waits={stop.isPending} onClick={() => stop.mutate()}>
            {say('stopOne')}
          </Button>
        ) : (
          <Button kind="link" waits={start.isPending} onClick={() => start.mutate()}>
            {say('startOne')}
          </Button>
        )}
      </td>
    </tr>
  );
}
