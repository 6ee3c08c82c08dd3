import { configDefaults, defineConfig } from 'vitest/config';

/**
 * The black-box suite, on deployments that the set-up starts: all of it on the disk store, and on Ceph again whatever
 * stores, reads, moves or removes bytes.
 */
const shared = {
  include: ['quality/acceptance/**/*.test.ts'],
  globalSetup: [`${import.meta.dirname}/setup.ts`],
  // Only a hang reaches them: what is waited for comes when a busy machine gets to it.
  testTimeout: 600_000,
  hookTimeout: 600_000,
  expect: { poll: { timeout: 300_000 } },
  // Three times the cores of the smallest machine: most tests wait for something most of the time.
  maxWorkers: 6,
  // A process for each file would read the same modules anew; what a test changes for all it changes back.
  isolate: false,
  restoreMocks: true,
};

/** By night Ceph has all of it. */
const isNight = process.env.MILLPOND_TEST_NIGHT === 'true';

/** Where a store could make a difference. What a store itself must do is held by its own suite, on both. */
const ofBytes = [
  'archive/class-moves',
  'archive/restore',
  'buckets/drop',
  'callbacks/crash',
  ...['get', 'private', 'redirect', 'segments'].map((name) => `downloads/${name}`),
  'qiniu/sdk',
  'fetch/engines-away',
  'fetch/fetch',
  'general/metrics',
  'first-object',
  'large/memory',
  'live/recordings',
  ...['bulk', 'copy', 'delete', 'model', 'move'].map((name) => `objects/${name}`),
  'processing/results',
  ...['crash', 'merge', 'v1', 'v2'].map((name) => `resumable/${name}`),
  ...['both-protocols', 'objects', 'parts'].map((name) => `s3/${name}`),
  ...['durability', 'form', 'judgement', 'scope', 'small'].map((name) => `uploads/${name}`),
].map((name) => `quality/acceptance/${name}.test.ts`);

/** Long ones for which once is enough: in a browser, and where parts of a blob outlive the process that wrote them. */
const onCephOnly = [
  'quality/acceptance/console/screens/**/*.test.ts',
  'quality/acceptance/objects/bulk-crash.test.ts',
];

export default defineConfig({
  test: {
    root: `${import.meta.dirname}/../..`,
    projects: [
      {
        test: {
          ...shared,
          name: 'ceph',
          env: { MILLPOND_TEST_STORE: 's3' },
          include: isNight ? shared.include : [...ofBytes, ...onCephOnly],
        },
      },
      {
        test: {
          ...shared,
          name: 'disk',
          env: { MILLPOND_TEST_STORE: 'disk' },
          exclude: [...configDefaults.exclude, ...onCephOnly],
        },
      },
    ],
  },
});
