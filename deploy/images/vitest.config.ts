import { defineConfig } from 'vitest/config';

/** The images, built of this checkout and run as the compose file runs them; and a new container with the packages. Apart from the other tests, because it takes minutes. */
export default defineConfig({
  test: {
    include: ['deploy/images/*.test.ts', 'scripts/guides/container/*.test.ts'],
    globalSetup: [
      `${import.meta.dirname}/../../quality/testing/databases/template-databases.ts`,
      `${import.meta.dirname}/setup.ts`,
    ],
    // One file after the other: some measure how long things take.
    fileParallelism: false,
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 120_000 } },
  },
});
