/**
 * `npm run site:test [-- --quick] [--out DIR]`: builds the site and looks at it in a browser, at the root of a server with all its pages, and
 * under a path with some. `--quick` does the second alone: what works under a path works at the root.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    out: { type: 'string', default: '.build/site-looked-at' },
  },
});
const root = path.join(import.meta.dirname, '../../..');
const repository = 'https://code.example.com/millpond';

if (!values.quick) await lookAt([], { MILLPOND_TEST_SITE_PAGES: 'all' });
await lookAt(['--base', '/millpond/', '--repository', repository], {
  MILLPOND_TEST_SITE_REPOSITORY: repository,
});

async function lookAt(
  options: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<void> {
  await run(['scripts/site/main.ts', '--out', values.out, ...options], {});
  if (!existsSync('/usr/bin/chromium'))
    process.stdout.write('there is no chromium: the site was built, and not looked at\n');
  else
    await run(
      ['node_modules/vitest/vitest.mjs', 'run', '--config', 'scripts/site/browser/vitest.config.ts'],
      {
        ...environment,
        MILLPOND_TEST_SITE: path.resolve(values.out),
      },
    );
}

async function run(args: readonly string[], environment: Readonly<Record<string, string>>): Promise<void> {
  const env = { ...process.env, ...environment };
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: 'inherit' });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) process.exit(1);
}
