/** Both blob stores, each in a place of its own, for tests that must hold on either. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  type BlobStore,
  createDiskBlobStore,
  createS3BlobStore,
  createWriteBudget,
  type S3BlobOptions,
} from '@millpond/blobs';
import { readEnginesEnv } from '@millpond/engines';
import { afterAll, beforeAll } from 'vitest';

export type StoreName = 's3' | 'disk';
/** Small engines have no S3 store. */
export const storeNames: readonly StoreName[] =
  process.env.MILLPOND_TEST_SMALL === 'true' ? ['disk'] : ['s3', 'disk'];

type S3Options = Omit<S3BlobOptions, 'budget'>;

export interface UsedBlobs {
  readonly store: BlobStore;
  /** For a process of the test's own that opens the same store. */
  readonly place: { readonly root: string } | { readonly s3: S3Options };
}

/** To be called inside a describe; the store is there while its tests run, and empty at first. */
export function useBlobs(name: StoreName): UsedBlobs {
  let store: BlobStore | undefined;
  let root = '';
  const s3 = s3Options();
  beforeAll(async () => {
    root = await mkdtemp(path.join(tmpdir(), 'millpond-test-'));
    store = name === 'disk' ? createDiskBlobStore({ root }) : openS3(s3);
    await store.ensureReady();
  });
  afterAll(async () => {
    if (store !== undefined) {
      for (const hour of await store.listHours()) {
        for await (const page of store.list(hour)) await store.remove(page.map((blob) => blob.id));
      }
      await store.close();
    }
    await rm(root, { recursive: true, force: true });
  });
  return {
    get store() {
      if (store === undefined) throw new Error('the store is open only while tests run');
      return store;
    },
    get place() {
      return name === 'disk' ? { root } : { s3 };
    },
  };
}

function openS3(options: S3Options): BlobStore {
  return createS3BlobStore({ ...options, budget: createWriteBudget(64 * 1024 * 1024) });
}

function s3Options(): S3Options {
  const env = readEnginesEnv();
  const need = (key: string): string => env[key] ?? '';
  return {
    endpoint: need('MILLPOND_S3_ENDPOINT'),
    region: need('MILLPOND_S3_REGION'),
    accessKey: need('MILLPOND_S3_ACCESS_KEY'),
    secretKey: need('MILLPOND_S3_SECRET_KEY'),
    bucket: `test-${randomBytes(5).toString('hex')}`,
  };
}
