import { defineConfig } from 'vitest/config';

// One run for unit and integration tests. The black-box suite has its own configuration in acceptance/.
export default defineConfig({
  test: {
    include: [
      'packages/**/*.test.ts',
      'scripts/**/*.test.ts',
      'deploy/**/*.test.ts',
      'engines/**/*.test.ts',
      'conformance/**/*.test.ts',
      'bench/**/*.test.ts',
      'chaos/**/*.test.ts',
    ],
    globalSetup: ['testing/template.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
  },
});
