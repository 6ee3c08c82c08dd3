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
  // One more than the cores of the smallest machine: most tests wait for something most of the time.
  maxWorkers: 3,
};

/** Where a store could make a difference. */
const ofBytes = [
  ...['downloads', 'large', 'resumable', 'uploads'].map((subject) => `${subject}/*`),
  ...['class-moves', 'classes', 'relocate', 'restore'].map((name) => `archive/${name}`),
  ...['drop', 'lifecycle'].map((name) => `buckets/${name}`),
  ...['crash'].map((name) => `callbacks/${name}`),
  ...['async-crash', 'engines-away', 'fetch'].map((name) => `fetch/${name}`),
  ...['copy', 'delete', 'model', 'move'].map((name) => `objects/${name}`),
  ...[
    'family-sdk',
    'first-object',
    'live/recordings',
    'mirror/miss',
    'pictures/commands',
    'processing/results',
  ],
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
