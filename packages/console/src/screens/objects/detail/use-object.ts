/** What the server knows of an object; renewed while a restore is under way. */
import { queryOptions } from '@tanstack/react-query';
import { useSession } from '../../../app/session-context.tsx';

const RENEWED_MS = 5_000;
const RESTORING = 1;

export function useObject(bucket: string, key: string) {
  const { client, account } = useSession();
  return queryOptions({
    queryKey: ['objects', account, bucket, key],
    queryFn: ({ signal }) => client.objects.stat(bucket, key, { signal }),
    refetchInterval: ({ state }) => (state.data?.restoreStatus === RESTORING ? RENEWED_MS : false),
  });
}
