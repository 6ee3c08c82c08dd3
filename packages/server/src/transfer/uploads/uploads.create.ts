/** Builds uploads by form, in parts and in blocks, on what they share: permits, object creation, and the answer. */
import type { Log } from '@millpond/base';
import { gauge } from '@millpond/base';
import type { Dialect } from '@millpond/protocol';
import type { Callbacks, DeliveriesFeature } from '../../events/deliveries/index.ts';
import type { ExplainSignature, Keyring } from '../../identity/accounts/index.ts';
import type { UploadTriggers } from '../../media/processing/index.ts';
import type { Database } from '../../platform/db/database.ts';
import { type Feature, HOUR_SECONDS } from '../../platform/feature.ts';
import type { ObjectBlobs } from '../../platform/small-blobs/index.ts';
import type { Buckets } from '../../storage/buckets/index.ts';
import type { Objects } from '../../storage/objects/index.ts';
import { Base64Uploads } from './base64-uploads.ts';
import { FormUploads } from './form/form-uploads.ts';
import { type ContentInspector, inspectUpload } from './inspect.ts';
import { ObjectCreation } from './object-creation.ts';
import { BlockStore } from './resumable/block.store.ts';
import { BlockUploads } from './resumable/block-uploads.ts';
import { CompletedStore } from './resumable/completed.store.ts';
import { CompletionReplay } from './resumable/completion-replay.ts';
import { LargeCompletions } from './resumable/large-completions.ts';
import { MultipartUploads } from './resumable/multipart-uploads.ts';
import { S3UploadStore } from './resumable/s3-upload.store.ts';
import { S3Uploads } from './resumable/s3-uploads.ts';
import { UploadStore } from './resumable/upload.store.ts';
import { UploadResponses } from './upload-response.ts';
import { createUploadTokenVerifier } from './upload-token.ts';
import { uploadRoutes } from './uploads.routes.ts';

export interface UploadDeps {
  readonly region: Database;
  readonly keyring: Keyring;
  readonly explain: ExplainSignature;
  readonly buckets: Buckets;
  readonly objects: Objects;
  readonly blobs: ObjectBlobs;
  readonly callbacks: Callbacks;
  readonly deliveries: DeliveriesFeature['callbackRecords'];
  readonly log: Log;
  readonly uploadTriggers: UploadTriggers;
  readonly inspection: ContentInspector;
  readonly dialect: Dialect;
  readonly ownPaths: ReadonlySet<string>;
}

/** Settings by name. */
export interface UploadSettings {
  readonly maxObjectSize: number;
  readonly lateTokenMemory: number;
  readonly commitWindow: number;
}

export interface UploadsFeature extends Feature {
  /** For the listener of that protocol. */
  readonly s3: S3Uploads;
}

export function createUploads(deps: UploadDeps, settings: UploadSettings): UploadsFeature {
  const { region, log, keyring, explain, buckets, objects, blobs, dialect, uploadTriggers } = deps;
  const answers = new UploadResponses({ ...deps, inspect: inspectUpload(deps.inspection, blobs) });
  const creation = new ObjectCreation({ objects, answers, uploadTriggers, dialect });
  const shared = {
    permits: createUploadTokenVerifier(keyring, buckets, explain, dialect),
    creation,
    answers,
    blobs,
    dialect,
  };
  const { maxObjectSize, commitWindow: commitWindowMs } = settings;
  const completed = new CompletedStore(region);
  const replay = new CompletionReplay(completed, deps.callbacks);
  const resumable = { ...shared, replay, maxObjectSize, commitWindowMs };
  const forms = new FormUploads(shared, settings);
  const uploads = new UploadStore(region);
  const largeCompletions = new LargeCompletions();
  const parts = new MultipartUploads({ ...resumable, store: uploads, largeCompletions });
  const blocks = new BlockUploads({ ...resumable, store: new BlockStore(region) });
  return {
    s3: new S3Uploads({
      store: new S3UploadStore(region),
      shared: uploads,
      completed,
      largeCompletions,
      objects,
      commitWindowMs,
    }),
    routes: uploadRoutes({
      forms,
      parts,
      blocks,
      base64: dialect.callsOfSdks ? new Base64Uploads({ ...shared, maxObjectSize }) : undefined,
    }),
    jobs: [
      {
        name: 'upload-expire',
        everySeconds: HOUR_SECONDS,
        says: 'unfinished uploads expired',
        async run(signal) {
          const expired = (await parts.expire(signal)) + (await blocks.expire(signal));
          const forgotten = await replay.forget(signal);
          if (forgotten > 0) log.debug({ forgotten }, 'answers of completed uploads deleted');
          return { expired };
        },
      },
    ],
    metrics: [
      gauge(
        {
          name: 'millpond_waiting_file_bytes',
          help: 'Memory held by files that arrived before their token',
        },
        () => forms.waitingBytes,
      ),
    ],
  };
}
