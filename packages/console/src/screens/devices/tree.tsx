/** Namespaces, their devices and the channels of these, each read when it is opened. */
import type { ChannelRecord, DeviceRecord, NamespaceRecord } from '@millpond/client/session';
import { Link, useNavigate } from '@tanstack/react-router';
import { ChevronDown, ChevronRight, Search } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { number } from '../../lib/format.ts';
import { useTranslations } from '../../lib/words.ts';
import { Button } from '../../ui/button.tsx';
import { Failure } from '../../ui/failure.tsx';
import { StatusMark } from '../../ui/mark.tsx';
import liveStyles from '../live/live.module.css';
import { markOfChannel, markOfDevice, shortId } from './device-state.ts';
import styles from './devices.module.css';
import { useChannels, useDevices } from './queries.ts';

export interface TreeSelection {
  readonly ns?: string | undefined;
  readonly gbId?: string | undefined;
  readonly channel?: string | undefined;
}

export function Tree({
  namespaces,
  open,
  begins,
}: {
  readonly namespaces: readonly NamespaceRecord[];
  /** What the panel beside shows. */
  readonly open: TreeSelection;
  readonly begins: string | undefined;
}) {
  const say = useTranslations('devices');
  const navigate = useNavigate();
  return (
    <section className={`pane ${liveStyles.listPane}`} aria-labelledby="devices">
      <div className={liveStyles.filter}>
        <Search className="icon" aria-hidden />
        <input
          aria-label={say('find')}
          placeholder={say('find')}
          defaultValue={begins ?? ''}
          inputMode="numeric"
          autoComplete="off"
          onChange={({ target }) =>
            void navigate({
              to: '/devices',
              search: ({ account }) => ({ account, ns: open.ns, begins: target.value || undefined }),
              replace: true,
            })
          }
        />
      </div>
      <h2 className="visually-hidden" id="devices">
        {say('title')}
      </h2>
      <ul className={`scroll ${styles.tree}`}>
        {namespaces.map((namespace) => (
          <NamespaceNode
            key={namespace.id}
            namespace={namespace}
            open={open}
            begins={begins}
            isAlone={namespaces.length === 1}
          />
        ))}
      </ul>
    </section>
  );
}

function Node({
  level,
  label,
  isOpen,
  toggle,
  isChosen,
  row,
  children,
}: {
  readonly level: 1 | 2 | 3;
  readonly label: string;
  /** Undefined: there is nothing within it. */
  readonly isOpen?: boolean | undefined;
  readonly toggle?: () => void;
  readonly isChosen?: boolean;
  readonly row: ReactNode;
  readonly children?: ReactNode;
}) {
  const say = useTranslations('devices');
  return (
    <li>
      <div
        className={`${styles.node} ${styles[`level${level}`]} ${isChosen ? `${styles.active} ${liveStyles.active}` : ''}`}
      >
        {isOpen === undefined ? (
          <span className={styles.treeToggle} />
        ) : (
          <button
            type="button"
            className={styles.treeToggle}
            aria-expanded={isOpen}
            aria-label={say('within', { name: label })}
            onClick={toggle}
          >
            {isOpen ? (
              <ChevronDown className="icon" aria-hidden />
            ) : (
              <ChevronRight className="icon" aria-hidden />
            )}
          </button>
        )}
        {row}
      </div>
      {isOpen && <ul>{children}</ul>}
    </li>
  );
}

function NamespaceNode({
  namespace,
  open,
  begins,
  isAlone,
}: {
  readonly namespace: NamespaceRecord;
  readonly open: TreeSelection;
  readonly begins: string | undefined;
  readonly isAlone: boolean;
}) {
  const say = useTranslations('devices');
  const { id, name } = namespace;
  const [isOpen, setOpen] = useState(isAlone || open.ns === id);
  const found = useDevices(id, begins, isOpen);
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = found;
  const devices = data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <Node
      level={1}
      label={name}
      isOpen={isOpen}
      toggle={() => setOpen(!isOpen)}
      row={
        <>
          <Link
            to="/devices"
            search={({ account }) => ({ account, ns: id, begins })}
            className="truncate weight-medium"
            onClick={() => setOpen(true)}
          >
            {name}
          </Link>
          {namespace.disabled && <span className="tag">{say('disabled')}</span>}
          <span className="text-small quiet end tabular">{data && number(data.pages[0]?.total ?? 0)}</span>
        </>
      }
    >
      {error !== null && data === undefined && (
        <li>
          <Failure error={error} what={say('failed')} again={() => void refetch()} />
        </li>
      )}
      {data !== undefined && devices.length === 0 && (
        <li className={`${styles.node} ${styles.level2} quiet text-small`}>
          {say(begins === undefined ? 'none' : 'nothing')}
        </li>
      )}
      {devices.map((device) => (
        <DeviceNode key={device.gbId} device={device} open={open} begins={begins} />
      ))}
      {hasNextPage && (
        <li className={`${styles.node} ${styles.level2}`}>
          <Button kind="link" waits={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {say('more')}
          </Button>
        </li>
      )}
    </Node>
  );
}

function DeviceNode({
  device,
  open,
  begins,
}: {
  readonly device: DeviceRecord;
  readonly open: TreeSelection;
  readonly begins: string | undefined;
}) {
  const say = useTranslations('devices');
  const { nsId, gbId, name, state, channels, media } = device;
  const isChosen = open.ns === nsId && open.gbId === gbId;
  const [isOpen, setOpen] = useState(isChosen);
  const found = useChannels(nsId, gbId, isOpen && channels > 0);
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = found;
  const shown = name || gbId;
  return (
    <Node
      level={2}
      label={shown}
      isOpen={channels > 0 ? isOpen : undefined}
      toggle={() => setOpen(!isOpen)}
      isChosen={isChosen && open.channel === undefined}
      row={
        <>
          <StatusMark state={markOfDevice(device)} label={say(`state.${state}`)} />
          <Link
            to="/devices/$ns/$gbId"
            params={{ ns: nsId, gbId }}
            search={({ account }) => ({ account, begins })}
            className="truncate"
            activeProps={{}}
            aria-current={isChosen && open.channel === undefined ? 'page' : undefined}
            onClick={() => setOpen(true)}
          >
            {shown}
          </Link>
          <span className={`mono quiet ${styles.id}`}>{name === '' ? '' : shortId(gbId)}</span>
          <span className="text-small quiet end nowrap tabular">
            {media.wanted > 0
              ? say('runs', { running: number(media.running), wanted: number(media.wanted) })
              : state === 'online'
                ? ''
                : say(`state.${state}`)}
          </span>
        </>
      }
    >
      {data?.pages
        .flatMap(({ items }) => items)
        .map((channel) => (
          <ChannelNode
            key={channel.gbId}
            nsId={nsId}
            gbId={gbId}
            begins={begins}
            channel={channel}
            open={open}
          />
        ))}
      {hasNextPage && (
        <li className={`${styles.node} ${styles.level3}`}>
          <Button kind="link" waits={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {say('more')}
          </Button>
        </li>
      )}
    </Node>
  );
}

function ChannelNode({
  nsId,
  gbId,
  channel,
  open,
  begins,
}: {
  readonly nsId: string;
  readonly gbId: string;
  readonly channel: ChannelRecord;
  readonly open: TreeSelection;
  readonly begins: string | undefined;
}) {
  const say = useTranslations('devices');
  const { media, name, state } = channel;
  const isChosen = open.ns === nsId && open.gbId === gbId && open.channel === channel.gbId;
  const shown = name || channel.gbId;
  return (
    <Node
      level={3}
      label={shown}
      isChosen={isChosen}
      row={
        <>
          <StatusMark state={markOfChannel(channel)} label={say(`state.${state}`)} />
          <Link
            to="/devices/$ns/$gbId/$channel"
            params={{ ns: nsId, gbId, channel: channel.gbId }}
            search={({ account }) => ({ account, begins })}
            className="truncate"
            activeProps={{}}
            aria-current={isChosen ? 'page' : undefined}
          >
            {shown}
          </Link>
          <span className="text-small quiet end truncate nowrap">
            {media.wanted ? media.reason || (media.state === '' ? '' : say(`media.${media.state}`)) : ''}
          </span>
        </>
      }
    />
  );
}
