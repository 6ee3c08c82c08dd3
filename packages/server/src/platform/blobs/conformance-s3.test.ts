import { afterAll, beforeAll } from 'vitest';
import { uploadsPageIn } from './s3/answers.ts';
import { createS3Client, type S3Client } from './s3/client.ts';
import type { S3BlobOptions } from './s3/options.ts';
import { createS3BlobStore } from './s3/store.ts';
import type { BlobStore } from './store.ts';
import { describeBlobStore } from './testing/conformance.ts';
import { engineOptions, removeEngineBucket } from './testing/engine.ts';

let options: S3BlobOptions;
let client: S3Client;
let store: BlobStore;

beforeAll(async () => {
  options = engineOptions();
  store = createS3BlobStore(options);
  client = createS3Client(options);
  await store.ensureReady();
});
afterAll(async () => {
  await Promise.all([store?.close(), client?.close()]);
  if (options) await removeEngineBucket(options);
});

describeBlobStore('s3', {
  store: () => store,
  async unfinished() {
    const answer = await client.call({
      method: 'GET',
      parameters: [['uploads', '']],
      expect: [200],
      doing: 'counting multiparts',
    });
    return uploadsPageIn(answer.body)?.uploads.length ?? Number.NaN;
  },
});
