/** The streams of a namespace with their last pictures; J and K go to the next and the one before. */
import type { StreamRecord } from '@millpond/client/session';
import { Link, useNavigate } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { Search } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useSession } from '../../app/session-context.tsx';
import { durationText, number, shortTime } from '../../lib/format.ts';
import { useShortcuts } from '../../lib/shortcuts.ts';
import { useTranslations } from '../../lib/words.ts';
import { Failure } from '../../ui/failure.tsx';
import { StatusMark } from '../../ui/mark.tsx';
import { Segments } from '../../ui/segments.tsx';
import styles from './live.module.css';
import { useFigures, useStreams } from './queries.ts';
import type { NamespaceSearch } from './search.ts';
import { bitrate, stateOf } from './stream-state.ts';
import { Thumb } from './thumb.tsx';

const ROW = 51;
const AHEAD = 20;

export function StreamList({
  ns,
  search,
  open,
}: {
  readonly ns: string;
  readonly search: NamespaceSearch;
  /** The stream whose page is open. */
  readonly open?: string | undefined;
}) {
  const say = useTranslations('live');
  const navigate = useNavigate();
  const { begins, state } = search;
  const found = useStreams(ns, search);
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = found;
  const rows = data?.pages.flatMap(({ items }) => items) ?? [];
  const total = data?.pages.at(-1)?.total ?? 0;
  const scroller = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: 6,
  });
  const shown = virtual.getVirtualItems();
  const last = shown.at(-1)?.index ?? 0;
  useEffect(() => {
    if (last >= rows.length - AHEAD && hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [last, rows.length, hasNextPage, isFetchingNextPage, fetchNextPage]);
  const filter = (next: NamespaceSearch) =>
    void navigate({
      to: '.',
      search: ({ account }) => ({ account, begins, state, ...next }),
      replace: true,
    });
  const move = (by: number) => {
    const at = rows.findIndex(({ streamId }) => streamId === open);
    const next = rows[at + by];
    if (next !== undefined)
      void navigate({
        to: '/live/$ns/streams/$stream',
        params: { ns, stream: next.streamId },
        search: ({ account }) => ({ account, begins, state }),
      });
  };
  useShortcuts({ j: () => move(1), k: () => move(-1), '/': () => field.current?.focus() });
  return (
    <section className={`pane ${styles.listPane}`} aria-labelledby="streams">
      <div className="pane-head">
        <h2 id="streams">{say('streams')}</h2>
        <span className="quiet tabular text-small">{data && number(total)}</span>
        <span className="end" />
        <Segments<'all' | 'online' | 'offline'>
          label={say('stream.state')}
          value={state ?? 'all'}
          options={(['all', 'online', 'offline'] as const).map((value) => ({
            value,
            words: say(`filter.${value}`),
          }))}
          onChange={(value) => filter({ state: value === 'all' ? undefined : value })}
        />
      </div>
      <div className={styles.filter}>
        <Search className="icon" aria-hidden />
        <input
          ref={field}
          aria-label={say('stream.find')}
          placeholder={say('stream.find')}
          defaultValue={begins ?? ''}
          onChange={({ target }) => filter({ begins: target.value || undefined })}
          autoComplete="off"
          spellCheck={false}
        />
        <kbd>/</kbd>
      </div>
      {found.error !== null && data === undefined && (
        <Failure error={found.error} what={say('stream.failed')} again={() => void found.refetch()} />
      )}
      {data !== undefined && rows.length === 0 && (
        <p className={`soft ${styles.none}`}>
          {say(begins === undefined && state === undefined ? 'stream.none' : 'stream.nothing')}
        </p>
      )}
      <div className="scroll" ref={scroller}>
        <ul className={styles.streamList} style={{ height: virtual.getTotalSize() }}>
          {shown.map(({ index, start }) => {
            const stream = rows[index];
            if (stream === undefined) return null;
            return (
              <li key={stream.streamId} style={{ transform: `translateY(${start}px)` }}>
                <Line stream={stream} search={{ begins, state }} isOpen={stream.streamId === open} />
              </li>
            );
          })}
        </ul>
      </div>
    </section>
  );
}

function Line({
  stream,
  search,
  isOpen,
}: {
  readonly stream: StreamRecord;
  readonly search: NamespaceSearch;
  readonly isOpen: boolean;
}) {
  const say = useTranslations('live');
  const { serverNow } = useSession();
  const { nsId, streamId, status, desc, lastPushedAt } = stream;
  const { mark, word } = stateOf(stream);
  const { data: figures } = useFigures(nsId, streamId, status);
  return (
    <Link
      to="/live/$ns/streams/$stream"
      params={{ ns: nsId, stream: streamId }}
      search={({ account }) => ({ account, ...search })}
      className={isOpen ? styles.active : ''}
      activeProps={{}}
      aria-current={isOpen ? 'page' : undefined}
    >
      <Thumb ns={nsId} stream={streamId} isOnline={status} />
      <span className="grow">
        <span className="row">
          <StatusMark state={mark} label={say(`state.${word}`)} />
          <span className="truncate">{streamId}</span>
        </span>
        <span className="row text-small quiet">
          <span className="truncate">{desc}</span>
          <span className="end tabular nowrap">
            {word === 'online' && figures?.now !== undefined
              ? bitrate(figures.now.bitrate)
              : word === 'online'
                ? durationText(serverNow() - lastPushedAt * 1000)
                : word === 'offline'
                  ? shortTime(lastPushedAt * 1000, serverNow())
                  : say(`state.${word}`)}
          </span>
        </span>
      </span>
    </Link>
  );
}
