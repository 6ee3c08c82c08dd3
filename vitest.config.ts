import { statSync } from 'node:fs';
import path from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import LongestFirst from './longest-first.ts';

/** The sandbox runs its programs as an unprivileged user, who must be able to reach them in this checkout. */
function othersMayEnter(folder: string): boolean {
  const parent = path.dirname(folder);
  return (statSync(folder).mode & 0o001) !== 0 && (parent === folder || othersMayEnter(parent));
}

const sandboxed = ['sandbox', 'images', 'inspect', 'media'].map(
  (folder) => `packages/server/src/platform/${folder}/**`,
);
const withoutSandbox = process.getuid?.() === 0 && !othersMayEnter(import.meta.dirname);
if (withoutSandbox)
  console.warn('left out: tests of the sandbox, because other users cannot enter this checkout');

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
      'testing/**/*.test.ts',
    ],
    // Those of the images and of a new container need images, those of the site a site: npm run image:test and npm run site:test.
    exclude: [
      ...configDefaults.exclude,
      'deploy/images/**',
      'scripts/guides/container/**',
      'scripts/guides/machines/**',
      'scripts/site/browser/**',
      ...(withoutSandbox ? sandboxed : []),
    ],
    globalSetup: ['testing/template.ts'],
    // Only a hang reaches them: what is waited for comes when a busy machine gets to it.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 300_000 } },
    // Twice the cores of the smallest machine: many tests wait for an engine most of the time.
    maxWorkers: 4,
    // A process for each file would read the same modules anew; what a test changes for all it changes back.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    restoreMocks: true,
  },
});
