/** A picture of the bucket to show styles on: the first among its first objects. */
import { useQuery } from '@tanstack/react-query';
import { useSession } from '../../../app/session-context.tsx';

const MOST_LOOKED_AT = 200;

export function usePicture(bucket: string): string | undefined {
  const { client, account } = useSession();
  const { data } = useQuery({
    queryKey: ['bucket-settings', account, bucket, 'picture'],
    staleTime: 60_000,
    async queryFn({ signal }) {
      const page = await client.objects.page(bucket, { limit: MOST_LOOKED_AT, signal });
      return page.items.find(({ mimeType }) => mimeType.startsWith('image/'))?.key ?? null;
    },
  });
  return data ?? undefined;
}
