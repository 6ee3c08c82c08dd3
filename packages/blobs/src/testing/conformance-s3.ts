/** The tests of every blob store, on the real engine: over plain HTTP, or with TLS in front of it. */
import { afterAll, beforeAll } from 'vitest';
import { createS3Client, type S3Client } from '../s3/client.ts';
import { uploadsPageIn } from '../s3/list-responses.ts';
import type { S3BlobOptions } from '../s3/options.ts';
import { createS3BlobStore } from '../s3/store.ts';
import type { BlobStore } from '../store.ts';
import { describeBlobStore } from './conformance.ts';
import { engineOptions, removeEngineBucket } from './engine.ts';
import { startTlsFront, type TlsFront } from './tls-front.ts';

export function describeS3Store(name: string, scheme: 'http' | 'https'): void {
  let front: TlsFront | undefined;
  let options: S3BlobOptions;
  let client: S3Client;
  let store: BlobStore;

  beforeAll(async () => {
    options = engineOptions();
    if (scheme === 'https') {
      front = await startTlsFront(options.endpoint);
      options = { ...options, endpoint: front.endpoint, certificateAuthority: front.certificate.text };
    }
    store = createS3BlobStore(options);
    client = createS3Client(options);
    await store.ensureReady();
  });
  afterAll(async () => {
    await Promise.all([store?.close(), client?.close()]);
    if (options) await removeEngineBucket(options);
    await front?.close();
  });

  describeBlobStore(name, {
    store: () => store,
    async unfinished() {
      const response = await client.call({
        method: 'GET',
        parameters: [['uploads', '']],
        expect: [200],
        doing: 'counting multiparts',
      });
      return uploadsPageIn(response.body)?.uploads.length ?? Number.NaN;
    },
  });
}
