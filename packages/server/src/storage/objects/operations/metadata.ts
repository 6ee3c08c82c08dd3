/**
 * Change metadata (`chgm`): type, custom pairs and response headers of an object, guarded by a condition on it. Changes that
 * race under one condition are applied one after the other, as long as the condition still holds; none is lost.
 */
import { type Dialect, Fault, metadataLimits } from '@millpond/protocol';
import type { Buckets } from '../../buckets/index.ts';
import { assertReadable } from '../restore-status.ts';
import { entryBucket } from './entry-bucket.ts';
import type { MetadataStore } from './metadata.store.ts';
import { readMetadataRequest } from './metadata-change.ts';
import type { Operation } from './operation.ts';

const maxBytes = { meta: metadataLimits.meta.maxBytes, headers: metadataLimits.headers.maxBytes };

export interface MetadataDeps {
  readonly store: MetadataStore;
  readonly buckets: Buckets;
  readonly dialect: Dialect;
}

export function metadataOperations({ store, buckets, dialect }: MetadataDeps): Operation[] {
  return [
    {
      name: 'chgm',
      permissions: (segments) => [{ action: 'write', ...readMetadataRequest(segments, dialect).entry }],
      async run(uid, segments) {
        const { entry, ...request } = readMetadataRequest(segments, dialect);
        const bucket = await entryBucket(buckets, uid, entry.bucket);
        const found = await store.change({ ...request, bucketId: bucket.id, key: entry.key, maxBytes });
        if (found === undefined) throw new Fault('noSuchEntry');
        assertReadable(found);
        if (!found.meta_fits) throw new Fault('invalidArgument', { hint: metadataLimits.meta.hint });
        if (!found.headers_fit) throw new Fault('invalidArgument', { hint: metadataLimits.headers.hint });
        if (!found.matches) throw new Fault('conditionNotMatched');
        return undefined;
      },
    },
  ];
}
