/** What was sent to a receiver, newest first; or to all of them. */
import { Link, useNavigate } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import { useSession } from '../../app/session-context.tsx';
import { useTranslations } from '../../lib/words.ts';
import { Button } from '../../ui/button.tsx';
import { Failure } from '../../ui/failure.tsx';
import { StatusMark } from '../../ui/mark.tsx';
import { Segments } from '../../ui/segments.tsx';
import { useAction } from '../../ui/use-action.ts';
import styles from './deliveries.module.css';
import { DeliveryRow } from './delivery-row.tsx';
import { healthOf } from './health.ts';
import { useDeliveries, useEndpoints } from './queries.ts';
import { type DeliveriesSearch, STATES, type State } from './search.ts';

const ROW = 46;
const AHEAD = 20;

export function EndpointPane({
  search,
  id,
}: {
  readonly search: DeliveriesSearch;
  readonly id: string | undefined;
}) {
  const say = useTranslations('deliveries');
  const navigate = useNavigate();
  const { data: endpoints } = useEndpoints();
  const endpoint = endpoints?.find((each) => each.endpoint === search.endpoint);
  const health = endpoint && healthOf(endpoint);
  const choose = (state: State | 'all') =>
    void navigate({
      to: '/deliveries',
      search: ({ account }) => ({
        account,
        endpoint: search.endpoint,
        state: state === 'all' ? undefined : state,
      }),
    });
  return (
    <section className={`pane ${styles.listPane}`} aria-labelledby="sent">
      <div className="pane-head">
        <h2 className="truncate" id="sent">
          {endpoint?.name ?? say('endpoints.all')}
        </h2>
        {health !== undefined && (
          <span className={`state text-small ${health.mark}`}>
            <StatusMark state={health.mark} />
            {say(`health.${health.word}`)}
          </span>
        )}
        <span className="end" />
        {endpoint !== undefined && (
          <EndpointActs endpoint={endpoint.endpoint} isSuspended={endpoint.suspended !== undefined} />
        )}
      </div>
      {endpoint?.reason !== undefined && <p className="note warn apart">{endpoint.reason}</p>}
      <div className={styles.filterBar}>
        <Segments
          label={say('state')}
          value={search.state ?? 'all'}
          options={(['all', ...STATES] as const).map((value) => ({ value, words: say(`state.${value}`) }))}
          onChange={choose}
        />
      </div>
      <List search={search} id={id} />
    </section>
  );
}

function EndpointActs({
  endpoint,
  isSuspended,
}: {
  readonly endpoint: string;
  readonly isSuspended: boolean;
}) {
  const say = useTranslations('deliveries');
  const { client } = useSession();
  const navigate = useNavigate();
  const test = useAction({
    act: () => client.deliveries.test(endpoint),
    after: (id) =>
      navigate({
        to: '/deliveries/$id',
        params: { id },
        search: ({ account }) => ({ account, endpoint }),
      }),
  });
  const resume = useAction({ act: () => client.deliveries.resume(endpoint), renews: [['deliveries']] });
  return (
    <>
      {isSuspended && (
        <Button kind="primary" waits={resume.isPending} onClick={() => void resume.run()}>
          {say('resume')}
        </Button>
      )}
      <Button waits={test.isPending} onClick={() => void test.run()}>
        {say('test')}
      </Button>
    </>
  );
}

function List({ search, id }: { readonly search: DeliveriesSearch; readonly id: string | undefined }) {
  const say = useTranslations('deliveries');
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage, isPending } =
    useDeliveries(search);
  const scroller = useRef<HTMLDivElement>(null);
  const rows = data?.pages.flatMap(({ items }) => items) ?? [];
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: 10,
  });
  const shown = virtual.getVirtualItems();
  const last = shown.at(-1)?.index ?? 0;
  useEffect(() => {
    if (last >= rows.length - AHEAD && hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [last, rows.length, hasNextPage, isFetchingNextPage, fetchNextPage]);
  if (error !== null && data === undefined)
    return <Failure error={error} what={say('list.failed')} again={() => void refetch()} />;
  if (!isPending && rows.length === 0) return <p className={`soft ${styles.nothing}`}>{say('list.empty')}</p>;
  return (
    <div className={`scroll ${styles.deliveryList}`} ref={scroller}>
      <ul style={{ height: virtual.getTotalSize(), position: 'relative' }}>
        {shown.map(({ index, start }) => {
          const delivery = rows[index];
          if (delivery === undefined) return null;
          return (
            <li
              key={delivery.id}
              className={styles.virtualRow}
              style={{ transform: `translateY(${start}px)` }}
            >
              <Link
                to="/deliveries/$id"
                params={{ id: delivery.id }}
                search={(was) => ({ account: was.account, ...search, try: undefined })}
                className={delivery.id === id ? styles.active : ''}
                activeProps={{}}
              >
                <DeliveryRow delivery={delivery} />
              </Link>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
