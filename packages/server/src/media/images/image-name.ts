/** The name of a cached result: equal for the same commands on the same bytes, by the same engines. */
import { createHash } from 'node:crypto';
import type { WorkByUrl } from '@millpond/protocol';
import type { ObjectRow } from '../../storage/objects/index.ts';
import type { ImageName } from './image.store.ts';

/** Of what engines make of the same command. Increase it when that changes: results of before are then not served again. */
const GENERATION = 2;

export function nameOf(
  { blob_id }: Pick<ObjectRow, 'blob_id'>,
  { canonical }: Pick<WorkByUrl, 'canonical'>,
  marks: readonly Pick<ObjectRow, 'blob_id'>[],
): ImageName {
  const hash = createHash('sha256').update(`${GENERATION}\n${canonical}\n`);
  for (const mark of marks) hash.update(`${mark.blob_id}\n`);
  return { sourceBlob: blob_id, work: hash.digest() };
}
