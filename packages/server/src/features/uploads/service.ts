/** Builds the ways to upload on what they share: permits, the creation of the object, the answer. */
import type { Dialect } from '@millpond/protocol';
import type { BlobStore } from '../../platform/blobs/index.ts';
import type { Database } from '../../platform/db/database.ts';
import type { ExplainSignature, Keyring } from '../accounts/index.ts';
import type { Buckets } from '../buckets/index.ts';
import type { Callbacks, DeliveryStore } from '../deliveries/index.ts';
import type { Objects } from '../objects/index.ts';
import type { Arrivals } from '../processing/index.ts';
import { UploadAnswers } from './answers.ts';
import { ObjectCreation } from './creation.ts';
import { FormUploads } from './form/form-uploads.ts';
import { permits } from './permit.ts';
import { BlockStore } from './resumable/block-store.ts';
import { BlockUploads } from './resumable/block-uploads.ts';
import { CompletedStore } from './resumable/completed-store.ts';
import { MultipartUploads } from './resumable/multipart-uploads.ts';
import { Repeats } from './resumable/repeats.ts';
import { UploadStore } from './resumable/upload-store.ts';
import type { LookInside } from './variables.ts';

export interface UploadParts {
  readonly region: Database;
  readonly keyring: Keyring;
  readonly explain: ExplainSignature;
  readonly buckets: Buckets;
  readonly objects: Objects;
  readonly blobs: BlobStore;
  readonly callbacks: Callbacks;
  readonly deliveries: DeliveryStore;
  readonly arrivals: Arrivals;
  readonly look: LookInside;
  readonly dialect: Dialect;
  readonly ownPaths: ReadonlySet<string>;
}

export interface UploadOptions {
  readonly maxObjectSize: number;
  readonly lateTokenMemory: number;
  readonly commitWindow: number;
}

export interface Uploads {
  readonly forms: FormUploads;
  readonly parts: MultipartUploads;
  readonly blocks: BlockUploads;
  readonly repeats: Repeats;
}

export function createUploads(parts: UploadParts, options: UploadOptions): Uploads {
  const { keyring, explain, buckets, objects, blobs, dialect, arrivals } = parts;
  const answers = new UploadAnswers(parts);
  const creation = new ObjectCreation({ objects, answers, arrivals, dialect });
  const shared = { permits: permits(keyring, buckets, explain), creation, answers, blobs, dialect };
  const { maxObjectSize, commitWindow: commitWindowMs } = options;
  const repeats = new Repeats(new CompletedStore(parts.region), parts.callbacks);
  const resumable = { ...shared, repeats, metaPrefix: dialect.metaPrefix, maxObjectSize, commitWindowMs };
  return {
    forms: new FormUploads(shared, options),
    parts: new MultipartUploads({ ...resumable, store: new UploadStore(parts.region) }),
    blocks: new BlockUploads({ ...resumable, store: new BlockStore(parts.region) }),
    repeats,
  };
}
