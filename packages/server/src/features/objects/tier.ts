/** Which tier of the engine the bytes of a storage class belong to. */
import { isArchiveClass } from '@millpond/protocol';
import type { Tier } from '../../platform/blobs/index.ts';

export function tierOfClass(storageClass: number): Tier {
  return isArchiveClass(storageClass) ? 'COLD' : 'STANDARD';
}
