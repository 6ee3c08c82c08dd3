/** The account's buckets with what they store. Two answers make one list: names come first, figures as soon as they are there. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useSession } from '../../app/session-context.tsx';

export interface BucketRow {
  readonly name: string;
  readonly region: string;
  readonly isPrivate: boolean;
  readonly created: string;
  readonly bytes: number | undefined;
  readonly objects: number | undefined;
}

const RENEWED_MS = 5_000;

export function useBucketList() {
  const { client, account } = useSession();
  return queryOptions({
    queryKey: ['buckets', account, 'list'],
    queryFn: ({ signal }) => Array.fromAsync(client.buckets.list({ signal })),
  });
}

export function useBuckets() {
  const { client, account } = useSession();
  const list = useQuery(useBucketList());
  const usage = useQuery({
    queryKey: ['buckets', account, 'usage'],
    queryFn: ({ signal }) => client.accounts.usage({ signal }),
    refetchInterval: RENEWED_MS,
  });
  const stored = new Map(usage.data?.buckets?.map((each) => [each.bucket, each]));
  const rows = list.data?.map(
    ({ name, region, private: isPrivate, ctime }): BucketRow => ({
      name,
      region,
      isPrivate,
      created: ctime,
      // A bucket that nothing was ever put into has no figures of its own.
      bytes: stored.get(name)?.bytes ?? (usage.data && 0),
      objects: stored.get(name)?.objects ?? (usage.data && 0),
    }),
  );
  return { rows, list, usage };
}
