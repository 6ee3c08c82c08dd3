import { defineConfig } from 'vitest/config';

/** All screens in all looks, instead of the pictures of the documentation. */
const script = process.env.MILLPOND_TEST_LOOKS === undefined ? 'pictures' : 'looks';

/** `npm run console:pictures`: makes docs/pictures anew, on a deployment of its own. No test, and no part of any run of tests. */
export default defineConfig({
  test: {
    root: `${import.meta.dirname}/../..`,
    name: 'pictures',
    env: { MILLPOND_TEST_STORE: 's3' },
    include: [`quality/acceptance/console/pictures/${script}.ts`],
    globalSetup: [`${import.meta.dirname}/setup.ts`],
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
});
