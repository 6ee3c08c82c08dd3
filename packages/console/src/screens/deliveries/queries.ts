/** What the screens of deliveries ask the server for. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useSession } from '../../app/session-context.tsx';
import type { DeliveriesSearch } from './search.ts';

const EVERY_MS = 5_000;
const PAGE = 100;

export function useEndpoints() {
  const { client, account } = useSession();
  return useQuery({
    queryKey: ['deliveries', account, 'endpoints'],
    queryFn: ({ signal }) => Array.fromAsync(client.deliveries.endpoints({ signal })),
    refetchInterval: EVERY_MS,
  });
}

export function useDeliveries({ endpoint, state }: DeliveriesSearch) {
  const { client, account } = useSession();
  return useInfiniteQuery({
    queryKey: ['deliveries', account, 'list', endpoint, state],
    queryFn: ({ pageParam, signal }) =>
      client.deliveries.page({ endpoint, state, marker: pageParam, limit: PAGE, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ marker }) => marker,
    // Older pages do not change: only what is on the first screen is asked for again.
    refetchInterval: (query) => ((query.state.data?.pages.length ?? 0) <= 1 ? EVERY_MS : false),
  });
}

export function useDelivery(id: string | undefined) {
  const { client, account } = useSession();
  return useQuery({
    queryKey: ['deliveries', account, 'one', id],
    queryFn: ({ signal }) => client.deliveries.get(id ?? '', { signal }),
    enabled: id !== undefined,
    refetchInterval: ({ state }) =>
      state.data?.waits === undefined && state.data !== undefined ? false : EVERY_MS,
  });
}
