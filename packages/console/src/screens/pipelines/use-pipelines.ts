/** The account's pipelines with their load, renewed while one looks. */
import { useQuery } from '@tanstack/react-query';
import { useSession } from '../../app/session-context.tsx';

export const MOST_AT_ONCE = 1000;

export function usePipelines() {
  const { client, account } = useSession();
  return useQuery({
    queryKey: ['pipelines', account],
    queryFn: ({ signal }) => client.processing.pipelines({ signal }),
    refetchInterval: 5_000,
  });
}
