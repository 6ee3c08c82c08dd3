/** Work that a commit leaves to the workers: each request is a row of the queue, written in the commit's transaction. */
import type { RequestFetch } from '../features/fetches/index.ts';
import type { RequestClassMove, RequestClassMoves, RequestMerge } from '../features/objects/index.ts';
import type { Queue } from '../platform/queue/queue.ts';

/** Segments that are to become one engine object. */
export const MERGE_QUEUE = 'blob-merge';
/** Files that are to be fetched in the background. */
export const FETCH_QUEUE = 'fetch';
/** Bytes that are to be moved into the tier of their object's class. */
export const CLASS_MOVE_QUEUE = 'class-move';

export interface QueueRequests {
  readonly merge: RequestMerge | undefined;
  readonly move: RequestClassMove | undefined;
  readonly moves: RequestClassMoves | undefined;
  readonly fetch: RequestFetch | undefined;
}

/** An operator's commands have no queue: they commit nothing that needs one. */
export function makeQueueRequests(queue: Queue | undefined): QueueRequests {
  if (queue === undefined) return { merge: undefined, move: undefined, moves: undefined, fetch: undefined };
  return {
    merge: ({ client }, blobId) => queue.enqueue(client, MERGE_QUEUE, { blobId }),
    move: ({ client }, blobId, uid) =>
      queue.enqueue(client, CLASS_MOVE_QUEUE, { blobId }, { account: uid === undefined ? '' : String(uid) }),
    moves: ({ client }, blobIds) =>
      queue.enqueueMany(
        client,
        CLASS_MOVE_QUEUE,
        blobIds.map((blobId) => ({ data: { blobId } })),
      ),
    fetch({ client }, { fetch_id: fetchId, uid }, afterSeconds) {
      const account = String(uid);
      return afterSeconds === 0
        ? queue.enqueue(client, FETCH_QUEUE, { fetchId }, { account })
        : queue.enqueueLater(client, FETCH_QUEUE, { fetchId }, afterSeconds, { account });
    },
  };
}
