import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { createDiskBlobStore } from './disk/store.ts';
import type { BlobStore } from './store.ts';
import { describeBlobStore } from './testing/conformance.ts';

let root: string;
let store: BlobStore;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'millpond-blobs-'));
  store = createDiskBlobStore({ root });
  await store.ensureReady();
});
afterAll(async () => {
  await store.close();
  await rm(root, { recursive: true, force: true });
});

describeBlobStore('disk', {
  store: () => store,
  unfinished: async () => (await readdir(join(root, 'tmp'))).length,
});
