/** For tests of the stores. */
import type { CompletedUpload } from './resumable/completed.store.ts';

/** An upload whose answer is not kept. */
export const NOT_KEPT: CompletedUpload = {
  request: undefined,
  bucketId: 7n,
  key: 'k',
  putTime: 1n,
  answer: undefined,
  callback: undefined,
};
