/** An object that is looked at, and whether it can be. */
import type { ObjectRecord } from '@millpond/client/session';

const FIRST_FROZEN = 2;
const RESTORED = 2;

export interface PreviewProps {
  readonly bucket: string;
  readonly objectKey: string;
  readonly object: ObjectRecord;
}

/** Frozen objects can't be read until they are restored. */
export function isReadable({ type, restoreStatus, status }: ObjectRecord): boolean {
  return status !== 1 && (type < FIRST_FROZEN || restoreStatus === RESTORED);
}
