/** How the engines are, asked now and then while a screen shows it. */
import { useQuery } from '@tanstack/react-query';
import { useSession } from '../../app/session-context.tsx';

const EVERY_MS = 5_000;

export function useHealth() {
  const { client } = useSession();
  return useQuery({
    queryKey: ['engines'],
    queryFn: ({ signal }) => client.operator.health({ signal }),
    refetchInterval: EVERY_MS,
  });
}
