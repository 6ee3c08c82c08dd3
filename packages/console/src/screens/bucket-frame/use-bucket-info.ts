/** The settings of a bucket that its every screen shows: asked for once for all of them. */
import { queryOptions } from '@tanstack/react-query';
import { useSession } from '../../app/session-context.tsx';

export function useBucketInfo(bucket: string) {
  const { client, account } = useSession();
  return queryOptions({
    queryKey: ['buckets', account, bucket, 'info'],
    queryFn: ({ signal }) => client.buckets.info(bucket, { signal }),
    staleTime: 30_000,
  });
}
