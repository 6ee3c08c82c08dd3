/** Upkeep that the object needs later: a commit requests it from the queue in its own transaction. */
import type { BlobId } from '@millpond/blobs';
import type { Tenants } from '../../identity/accounts/index.ts';
import type { Transaction } from '../../platform/db/database.ts';
import type { Queue } from '../../platform/queue/queue.ts';

/** Requests a merge, in the transaction that commits an object of several segments. */
export type RequestMerge = (transaction: Transaction, blobId: BlobId) => Promise<unknown>;

/** Requests a move, in the transaction that changes the class; tenants take turns. */
export type RequestClassMove = (transaction: Transaction, blobId: BlobId, uid?: bigint) => Promise<unknown>;

/** The same for many at once. */
export type RequestClassMoves = (
  transaction: Transaction,
  blobIds: readonly BlobId[],
  uid?: bigint,
) => Promise<unknown>;

export interface UpkeepRequests {
  readonly merge?: RequestMerge;
  readonly move?: RequestClassMove;
  readonly moves?: RequestClassMoves;
}

/** Segments to be merged into one engine object. */
export const MERGE_QUEUE = 'blob-merge';
/** Bytes to be moved to the tier of their object's class. */
export const CLASS_MOVE_QUEUE = 'class-move';

/** Operator commands have no queue: they commit nothing that needs one. */
export function upkeepRequests(queue: Queue | undefined, tenants: Tenants): UpkeepRequests {
  if (queue === undefined) return {};
  const turnOf = (uid: bigint | undefined) => ({ account: uid === undefined ? '' : tenants.turnOf(uid) });
  return {
    merge: ({ client }, blobId) => queue.enqueue(client, MERGE_QUEUE, { blobId }),
    move: ({ client }, blobId, uid) => queue.enqueue(client, CLASS_MOVE_QUEUE, { blobId }, turnOf(uid)),
    moves: ({ client }, blobIds, uid) =>
      queue.enqueueMany(
        client,
        CLASS_MOVE_QUEUE,
        blobIds.map((blobId) => ({ data: { blobId }, ...turnOf(uid) })),
      ),
  };
}
