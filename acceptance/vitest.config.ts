import { configDefaults, defineConfig } from 'vitest/config';

/**
 * The black-box suite, on deployments that the set-up starts: against both blob stores wherever bytes are stored, read,
 * moved or removed. What is only about accounts, signatures, settings and events is shown once, on the disk store.
 */
const shared = {
  include: ['acceptance/**/*.test.ts'],
  globalSetup: [`${import.meta.dirname}/setup.ts`],
  testTimeout: 60_000,
  hookTimeout: 180_000,
  maxWorkers: 2,
};

const ofNoStore = [
  ...['accounts', 'authentication', 'deliveries', 'tokens'].map((subject) => `acceptance/${subject}/**`),
  ...['cors', 'domains', 'family-sdk', 'list', 'region-query', 'tags'].map(
    (name) => `acceptance/buckets/${name}.test.ts`,
  ),
  ...['calls', 'failures', 'notifications', 'states', 'submit', 'uploads', 'workflows'].map(
    (name) => `acceptance/processing/${name}.test.ts`,
  ),
  ...['hostile-urls', 'several-urls', 'signature'].map((name) => `acceptance/callbacks/${name}.test.ts`),
  ...['hostile-urls', 'hosts', 'waiting'].map((name) => `acceptance/fetch/${name}.test.ts`),
  'acceptance/access-matrix.test.ts',
];

export default defineConfig({
  test: {
    root: `${import.meta.dirname}/..`,
    projects: [
      {
        test: {
          ...shared,
          name: 'ceph',
          env: { MILLPOND_TEST_STORE: 's3' },
          exclude: [...configDefaults.exclude, ...ofNoStore],
        },
      },
      { test: { ...shared, name: 'disk', env: { MILLPOND_TEST_STORE: 'disk' } } },
    ],
  },
});
