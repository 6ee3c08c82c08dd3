/**
 * `npm run test:engines -- [--small] [arguments of vitest]`: the tests that need engines. With `--small` those that
 * need more than PostgreSQL are skipped; vitest.config.ts says what that is.
 */
import { spawnSync } from 'node:child_process';

const SMALL = '--small';
const args = process.argv.slice(2);
const { status } = spawnSync(
  'vitest',
  ['run', '--project', 'engines', ...args.filter((word) => word !== SMALL)],
  {
    stdio: 'inherit',
    env: { ...process.env, ...(args.includes(SMALL) && { MILLPOND_TEST_SMALL: 'true' }) },
  },
);
process.exitCode = status ?? 1;
