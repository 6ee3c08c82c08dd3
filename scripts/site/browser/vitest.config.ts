import { defineConfig } from 'vitest/config';

/** The site that `npm run site` built, in a browser. Apart from the other tests, because building it takes more than a minute. */
export default defineConfig({
  test: {
    root: `${import.meta.dirname}/../../..`,
    include: ['scripts/site/browser/site.test.ts'],
    testTimeout: 300_000,
    hookTimeout: 120_000,
  },
});
