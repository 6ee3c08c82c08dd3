/** What a bucket's trash holds, page by page as one asks for more. */
import type { TrashedObject } from '@millpond/client/session';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useSession } from '../../app/session-context.tsx';

const EACH = 200;

interface Some {
  readonly items: readonly TrashedObject[];
  /** Where the next begin; null: these were the last. */
  readonly rest: AsyncGenerator<TrashedObject, void> | null;
}

/** The list is read on from where it stands: a page of it is no more than some of its items. */
export function useTrash(bucket: string, begins: string) {
  const { client, account } = useSession();
  return useInfiniteQuery({
    queryKey: ['trash', account, bucket, begins],
    initialPageParam: null as Some['rest'],
    queryFn: async ({ pageParam }): Promise<Some> =>
      someOf(pageParam ?? client.trash.list(bucket, begins === '' ? {} : { prefix: begins })),
    getNextPageParam: ({ rest }) => rest ?? undefined,
    refetchOnWindowFocus: false,
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  });
}

async function someOf(list: AsyncGenerator<TrashedObject, void>): Promise<Some> {
  const items: TrashedObject[] = [];
  while (items.length < EACH) {
    const { value, done } = await list.next();
    if (done === true) return { items, rest: null };
    items.push(value);
  }
  return { items, rest: list };
}
