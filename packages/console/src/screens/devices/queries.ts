/** What the screens of devices ask the server for. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useSession } from '../../app/session-context.tsx';

const EVERY_MS = 5_000;
const PAGE = 100;

/** Only the first page is renewed while one looks. */
function renewed<Data extends { pages: readonly unknown[] }>(query: { state: { data: Data | undefined } }) {
  return (query.state.data?.pages.length ?? 0) <= 1 ? EVERY_MS : false;
}

function nextOffset({ items, total }: { items: unknown[]; total: number }, _: unknown, offset: number) {
  return items.length > 0 && offset + items.length < total ? offset + items.length : undefined;
}

export function useDevices(ns: string, begins: string | undefined, isOpen: boolean) {
  const { client, account } = useSession();
  return useInfiniteQuery({
    queryKey: ['devices', account, 'list', ns, begins],
    queryFn: ({ pageParam, signal }) =>
      client.live.devices(ns).page({ prefix: begins, offset: pageParam, limit: PAGE, signal }),
    initialPageParam: 0,
    getNextPageParam: nextOffset,
    refetchInterval: renewed,
    enabled: isOpen,
  });
}

export function useDevice(ns: string, gbId: string) {
  const { client, account } = useSession();
  return useQuery({
    queryKey: ['devices', account, 'one', ns, gbId],
    queryFn: ({ signal }) => client.live.devices(ns).get(gbId, { signal }),
    refetchInterval: EVERY_MS,
  });
}

export function useChannels(ns: string, gbId: string, isOpen = true) {
  const { client, account } = useSession();
  return useInfiniteQuery({
    queryKey: ['devices', account, 'channels', ns, gbId],
    queryFn: ({ pageParam, signal }) =>
      client.live.devices(ns).channelsPage(gbId, { offset: pageParam, limit: PAGE, signal }),
    initialPageParam: 0,
    getNextPageParam: nextOffset,
    refetchInterval: renewed,
    enabled: isOpen,
  });
}

export function useChannel(ns: string, gbId: string, channel: string) {
  const { client, account } = useSession();
  return useQuery({
    queryKey: ['devices', account, 'channel', ns, gbId, channel],
    queryFn: ({ signal }) => client.live.devices(ns).channel(gbId, channel, { signal }),
    refetchInterval: EVERY_MS,
  });
}
