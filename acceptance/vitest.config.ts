import { defineConfig } from 'vitest/config';

/**
 * The black-box suite: every test runs against both blob stores, on deployments that the set-up starts, or (with
 * MILLPOND_TEST_URL and keys in the environment) against a deployment that is there already.
 */
const shared = {
  include: ['acceptance/**/*.test.ts'],
  globalSetup: [`${import.meta.dirname}/setup.ts`],
  testTimeout: 30_000,
  hookTimeout: 180_000,
  maxWorkers: 2,
};

export default defineConfig({
  test: {
    root: `${import.meta.dirname}/..`,
    projects: [
      { test: { ...shared, name: 'ceph', env: { MILLPOND_TEST_STORE: 's3' } } },
      { test: { ...shared, name: 'disk', env: { MILLPOND_TEST_STORE: 'disk' } } },
    ],
  },
});
