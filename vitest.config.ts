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
  (folder) => `packages/jail/src/${folder}/**/*.engines.test.ts`,
);
const withoutSandbox = process.getuid?.() === 0 && !othersMayEnter(import.meta.dirname);
if (withoutSandbox)
  console.warn('left out: tests of the sandbox, because other users cannot enter this checkout');

const isSmall = process.env.MILLPOND_TEST_SMALL === 'true';

/**
 * What a test needs besides PostgreSQL, as a tag: `// @module-tag ceph` in a file, `{ tags: ['ceph'] }` for one test.
 * With `--small` such tests are skipped, because small engines have none of it.
 */
const NEEDS = {
  ceph: 'Ceph, as the store of blobs',
  nginx: 'nginx, or its RTMP module',
  sandbox: 'bubblewrap, or ffmpeg, which runs in it',
  debian: 'other programs of Debian: PostgreSQL’s own tools, openssl, git, systemd, promtool, …',
  root: 'root, to become other users',
  registry: 'npm’s registry',
};

const tags = [
  ...Object.entries(NEEDS).map(([name, description]) => ({
    name,
    description,
    ...(isSmall && { skip: true }),
  })),
  {
    name: 'linux',
    description: 'Linux, and nothing that it lacks without root',
    ...(process.platform !== 'linux' && { skip: true }),
  },
];

const folders = ['packages', 'scripts', 'deploy', 'quality'];
const inFolders = (ending: string) => folders.map((folder) => `${folder}/**/*${ending}`);
const ENGINES = '.engines.test.ts';

// The black-box tests have a configuration of their own. Those of the images and of a new container need images, those of the
// site a site: npm run image:test and npm run site:test.
const exclude = [
  ...configDefaults.exclude,
  'quality/acceptance/**',
  'deploy/images/**',
  'scripts/guides/container/**',
  'scripts/guides/machines/**',
  'scripts/site/browser/**',
];

const POLL_MS = 300_000;
const shared = {
  // Only a hang reaches them: what is waited for comes when a busy machine gets to it.
  testTimeout: 600_000,
  hookTimeout: 600_000,
  expect: { poll: { timeout: POLL_MS } },
  // A process for each file would read the same modules anew; what a test changes for all it changes back.
  isolate: false,
  restoreMocks: true,
  tags,
};

// `pure` needs nothing but Node, `engines` what `npm run engines -- up` starts. The black-box suite has its own configuration in quality/acceptance/.
export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          ...shared,
          name: 'pure',
          include: inFolders('.test.ts'),
          exclude: [...exclude, `**/*${ENGINES}`],
          maxWorkers: '100%',
          // The default of 50 ms would be most of what many tests take; here no engine is asked.
          expect: { poll: { timeout: POLL_MS, interval: 5 } },
          // Node runs the sources as they are; transforming them would cost a sixth more processor time.
          experimental: { viteModuleRunner: false },
        },
      },
      {
        test: {
          ...shared,
          name: 'engines',
          include: inFolders(ENGINES),
          exclude: [...exclude, ...(withoutSandbox ? sandboxed : [])],
          globalSetup: ['quality/testing/databases/template-databases.ts'],
          // Twice the cores of the smallest machine: many tests wait for an engine most of the time.
          maxWorkers: 4,
        },
      },
    ],
  },
});
