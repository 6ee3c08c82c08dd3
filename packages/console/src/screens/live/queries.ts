/** What the screens of live ask the server for. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useSession } from '../../app/session-context.tsx';
import { firstOf } from '../../lib/first-of.ts';
import type { NamespaceSearch } from './search.ts';

const EVERY_MS = 5_000;
const FIGURES_MS = 10_000;
const PICTURE_MS = 30_000;
const PAGE = 100;
/** Accounts have a few: what goes beyond is not listed. */
const MOST_NAMESPACES = 500;

export function useNamespaces() {
  const { client, account } = useSession();
  return useQuery({
    queryKey: ['live', account, 'namespaces'],
    queryFn: ({ signal }) => firstOf(client.live.namespaces({ signal }), MOST_NAMESPACES),
  });
}

export function useNamespace(ns: string) {
  const { client, account } = useSession();
  return useQuery({
    queryKey: ['live', account, 'namespace', ns],
    queryFn: ({ signal }) => client.live.namespace(ns, { signal }),
  });
}

/** How many streams a namespace has, and how many of them are online. */
export function useStreamCounts(ns: string) {
  const { client, account } = useSession();
  return useQuery({
    queryKey: ['live', account, 'counts', ns],
    async queryFn({ signal }) {
      const streams = client.live.streams(ns);
      const [all, online] = await Promise.all([
        streams.page({ limit: 1, signal }),
        streams.page({ limit: 1, state: 'online', signal }),
      ]);
      return { all: all.total, online: online.total };
    },
    refetchInterval: FIGURES_MS,
  });
}

export function useStreams(ns: string, { begins, state }: NamespaceSearch) {
  const { client, account } = useSession();
  return useInfiniteQuery({
    queryKey: ['live', account, 'streams', ns, begins, state],
    queryFn: ({ pageParam, signal }) =>
      client.live.streams(ns).page({ prefix: begins, state, offset: pageParam, limit: PAGE, signal }),
    initialPageParam: 0,
    getNextPageParam: ({ items, total }, _, offset) =>
      items.length > 0 && offset + items.length < total ? offset + items.length : undefined,
    refetchInterval: (query) => ((query.state.data?.pages.length ?? 0) <= 1 ? EVERY_MS : false),
  });
}

export function useStream(ns: string, stream: string) {
  const { client, account } = useSession();
  return useQuery({
    queryKey: ['live', account, 'stream', ns, stream],
    async queryFn({ signal }) {
      // The key stays out of what the page keeps: it is part of the publisher's address only.
      const { key: _key, ...rest } = await client.live.streams(ns).get(stream, { signal });
      return rest;
    },
    refetchInterval: EVERY_MS,
  });
}

export function useFigures(ns: string, stream: string, isOnline: boolean) {
  const { client, account } = useSession();
  return useQuery({
    queryKey: ['live', account, 'figures', ns, stream],
    queryFn: ({ signal }) => client.live.streams(ns).figures(stream, { signal }),
    enabled: isOnline,
    refetchInterval: FIGURES_MS,
  });
}

/** Its last snapshot, if it has any. */
export function useLastSnapshot(ns: string, stream: string) {
  const { client, account } = useSession();
  return useQuery({
    queryKey: ['live', account, 'picture', ns, stream],
    async queryFn({ signal }) {
      const streams = client.live.streams(ns);
      const { items } = await streams.snapshotsPage(stream, { isNewestFirst: true, limit: 1, signal });
      return items[0] ?? null;
    },
    refetchInterval: PICTURE_MS,
  });
}

export function useTemplates() {
  const { client, account } = useSession();
  return useQuery({
    queryKey: ['live', account, 'templates'],
    queryFn: ({ signal }) => Array.fromAsync(client.live.templates({ signal })),
  });
}
