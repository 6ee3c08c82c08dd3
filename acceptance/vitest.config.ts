import { defineConfig } from 'vitest/config';

/**
 * The black-box suite, on deployments that the set-up starts: all of it on the disk store, and on Ceph again whatever
 * stores, reads, moves or removes bytes.
 */
const shared = {
  include: ['acceptance/**/*.test.ts'],
  globalSetup: [`${import.meta.dirname}/setup.ts`],
  testTimeout: 60_000,
  hookTimeout: 180_000,
  maxWorkers: 2,
};

/** Where a store could make a difference. */
const ofBytes = [
  ...['downloads', 'large', 'mirror', 'resumable', 'uploads'].map((subject) => `${subject}/*`),
  ...['class-moves', 'classes', 'relocate', 'restore'].map((name) => `archive/${name}`),
  ...['drop', 'lifecycle'].map((name) => `buckets/${name}`),
  ...['crash', 'fetch-key'].map((name) => `callbacks/${name}`),
  ...['async-crash', 'bad-origins', 'engines-away', 'fetch'].map((name) => `fetch/${name}`),
  ...['copy', 'delete', 'model', 'move', 'undelete'].map((name) => `objects/${name}`),
  ...['family-sdk', 'first-object', 'general/failures', 'pictures/commands', 'processing/results'],
  'variables/content',
].map((name) => `acceptance/${name}.test.ts`);

export default defineConfig({
  test: {
    root: `${import.meta.dirname}/..`,
    projects: [
      {
        test: {
          ...shared,
          name: 'ceph',
          env: { MILLPOND_TEST_STORE: 's3' },
          include: ofBytes,
        },
      },
      { test: { ...shared, name: 'disk', env: { MILLPOND_TEST_STORE: 'disk' } } },
    ],
  },
});
