/** What happened to a stream within a day. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useSession } from '../../../app/session-context.tsx';
import { DAY, type Span } from './lanes.ts';

const EVERY_MS = 10_000;
const MOST = 100;
const PAGE = 50;

/** Renewed every ten seconds if it ends now. */
export function useDay(ns: string, stream: string, until: number | undefined) {
  const { client, account, serverNow } = useSession();
  return useQuery({
    queryKey: ['live', account, 'day', ns, stream, until],
    async queryFn({ signal }) {
      const streams = client.live.streams(ns);
      const to = until ?? Math.floor(serverNow() / 1000);
      const day: Span = { from: to - DAY, to };
      const range = { start: day.from, end: day.to, isNewestFirst: true, limit: MOST, signal };
      const [publishers, recordings, snapshots] = await Promise.all([
        streams.publishers(stream, { signal }),
        streams.recordingsPage(stream, range),
        streams.snapshotsPage(stream, range),
      ]);
      const isOfDay = ({ start, end = to }: { start: number; end?: number | undefined }) =>
        start <= day.to && end >= day.from;
      return {
        day,
        publishers: publishers.filter(isOfDay),
        recordings: recordings.items,
        snapshots: snapshots.items,
      };
    },
    refetchInterval: until === undefined ? EVERY_MS : false,
    placeholderData: (before) => before,
  });
}

export type DayFacts = NonNullable<ReturnType<typeof useDay>['data']>;

/** All recordings, newest first. */
export function useRecordings(ns: string, stream: string) {
  const { client, account } = useSession();
  return useInfiniteQuery({
    queryKey: ['live', account, 'recordings', ns, stream],
    queryFn: ({ pageParam, signal }) =>
      client.live
        .streams(ns)
        .recordingsPage(stream, { isNewestFirst: true, limit: PAGE, marker: pageParam, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ marker }) => marker,
    refetchInterval: (query) => ((query.state.data?.pages.length ?? 0) <= 1 ? EVERY_MS : false),
  });
}

/** Where it is published and played. Asked for anew with each visit, and not kept: the first is a secret. */
export function useUrls(ns: string, stream: string) {
  const { client, account } = useSession();
  return useQuery({
    // Apart from the rest: whatever else is renewed, the player goes on with the address it has.
    queryKey: ['live-urls', account, ns, stream],
    queryFn: ({ signal }) => client.live.streams(ns).urls(stream, { expires: URL_SECONDS, signal }),
    staleTime: (URL_SECONDS * 1000) / 2,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
}

/** As long as a session may last. */
const URL_SECONDS = 12 * 3600;
