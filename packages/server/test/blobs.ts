/** Both blob stores, each in a place of its own, for tests that must hold on either. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readEnginesEnv } from '@millpond/engines';
import { afterAll, beforeAll } from 'vitest';
import {
  type BlobStore,
  createDiskBlobStore,
  createS3BlobStore,
  createWriteBudget,
} from '../src/platform/blobs/index.ts';

export const storeNames = ['s3', 'disk'] as const;
export type StoreName = (typeof storeNames)[number];

/** To be called inside a describe; the store is there while its tests run, and empty at first. */
export function useBlobs(name: StoreName): { readonly store: BlobStore } {
  let store: BlobStore | undefined;
  let root = '';
  beforeAll(async () => {
    root = await mkdtemp(path.join(tmpdir(), 'millpond-test-'));
    store = name === 'disk' ? createDiskBlobStore({ root }) : openS3();
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
  };
}

function openS3(): BlobStore {
  const env = readEnginesEnv();
  const need = (key: string): string => env[key] ?? '';
  return createS3BlobStore({
    endpoint: need('MILLPOND_S3_ENDPOINT'),
    region: need('MILLPOND_S3_REGION'),
    accessKey: need('MILLPOND_S3_ACCESS_KEY'),
    secretKey: need('MILLPOND_S3_SECRET_KEY'),
    bucket: `test-${randomBytes(5).toString('hex')}`,
    budget: createWriteBudget(64 * 1024 * 1024),
  });
}
