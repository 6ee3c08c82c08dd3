import { defineConfig } from 'vitest/config';

/** The images that `npm run image` made, run as the compose file runs them; and a new container with the packages. Apart from the other tests, because it needs them. */
export default defineConfig({
  test: {
    include: ['deploy/images/*.test.ts', 'scripts/guides/container/*.test.ts'],
    globalSetup: [`${import.meta.dirname}/../../testing/template.ts`],
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 120_000 } },
  },
});
