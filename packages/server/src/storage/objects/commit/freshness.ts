/**
 * Bytes that a row is about to name must be younger than the commit window: the sweep removes older bytes that no row
 * names, and may already have done so.
 */
import { Fault } from '@millpond/protocol';

/** The condition in SQL; both arguments are SQL expressions. */
export function withinCommitWindow(blobId: string, windowMs: string): string {
  return `region.blob_time(${blobId}) > clock_timestamp() - ${windowMs}::bigint * interval '1 millisecond'`;
}

export function commitWindowFault(): Fault {
  return new Fault('serverFailure', {
    detail: 'the upload took longer than the commit window, or this host’s clock is wrong',
  });
}
