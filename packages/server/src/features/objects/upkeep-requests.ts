/** What a commit asks of the queue, in its own transaction: upkeep that the object needs later. */
import type { BlobId } from '../../platform/blobs/index.ts';
import type { Transaction } from '../../platform/db/database.ts';

/** Asks for a merge, in the transaction that commits an object of several segments. */
export type RequestMerge = (transaction: Transaction, blobId: BlobId) => Promise<unknown>;

/** Asks for a move, in the transaction that changes the class; accounts take turns. */
export type RequestClassMove = (transaction: Transaction, blobId: BlobId, uid?: bigint) => Promise<unknown>;

/** The same for many at once. */
export type RequestClassMoves = (transaction: Transaction, blobIds: readonly BlobId[]) => Promise<unknown>;
