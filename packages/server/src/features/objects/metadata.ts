/**
 * Change metadata (`chgm`): type and custom pairs of an object, guarded by a condition on it. Of changes that race
 * under one condition as many succeed as the condition holds for, one after the other; none is lost.
 */
import { type Dialect, Fault, MAX_METADATA_BYTES } from '@millpond/protocol';
import type { Buckets } from '../buckets/index.ts';
import { entryBucket } from './entry-bucket.ts';
import { readMetadataRequest } from './metadata-change.ts';
import type { MetadataStore } from './metadata-store.ts';
import type { Operation } from './operation.ts';
import { refuseUnrestored } from './restore-status.ts';

export interface MetadataParts {
  readonly store: MetadataStore;
  readonly buckets: Buckets;
  readonly dialect: Dialect;
}

export function metadataOperations({ store, buckets, dialect }: MetadataParts): Operation[] {
  return [
    {
      name: 'chgm',
      async run(uid, segments) {
        const { entry, ...request } = readMetadataRequest(segments, dialect);
        const bucket = await entryBucket(buckets, uid, entry.bucket);
        const update = { ...request, bucketId: bucket.id, key: entry.key, maxBytes: MAX_METADATA_BYTES };
        const found = await store.change(update);
        if (found === undefined) throw new Fault('noSuchEntry');
        refuseUnrestored(found);
        if (!found.fits) {
          const hint = `the metadata of an object is at most ${MAX_METADATA_BYTES} bytes, names and values together`;
          throw new Fault('invalidArgument', { hint });
        }
        if (!found.matches) throw new Fault('conditionNotMatched');
        return undefined;
      },
    },
  ];
}
