import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const run = promisify(execFile);
const SOURCES = path.join(import.meta.dirname, '..');

/** Prints what of the console a process has loaded so far that would serve each of these. */
const PROGRAM = `
  import { registerHooks } from 'node:module';
  let loaded = 0;
  registerHooks({
    load(url, context, next) {
      if (url.includes('/faces/console/')) loaded++;
      return next(url, context);
    },
  });
  await import('${SOURCES}/server.ts');
  const { readConfig } = await import('${SOURCES}/config/config.ts');
  const { consoleRoutes } = await import('${SOURCES}/compose/console.ts');
  const answers = [];
  for (const settings of JSON.parse(process.argv[1])) {
    const routes = await consoleRoutes({ accounts: {}, buckets: {}, routes: [] }, {}, readConfig(settings));
    answers.push({ isLoaded: loaded > 0, isServed: routes.length > 0 });
  }
  process.stdout.write(JSON.stringify(answers));
`;

const needed = {
  MILLPOND_CONTROL_DB: 'postgres://x/x',
  MILLPOND_REGION_DB: 'postgres://x/x',
  MILLPOND_MASTER_KEY: `one:${Buffer.alloc(32).toString('base64')}`,
  MILLPOND_BLOBS: 'disk',
  MILLPOND_DISK_ROOT: '/nowhere',
};
const all = 'http://127.0.0.1:8100';

test('only a process that some request could reach the console in loads it [console-01]', async () => {
  const host = { MILLPOND_HOSTS: 'console=console.example.com' };
  const without = [
    { MILLPOND_LISTEN: all },
    { MILLPOND_LISTEN: `${all}/rs+console` },
    { MILLPOND_LISTEN: `${all}/rs+s3`, ...host },
  ];
  const withIt = [
    { MILLPOND_LISTEN: all, ...host },
    { MILLPOND_LISTEN: `${all},http://127.0.0.1:8200/console` },
  ];
  const asked = [...without, ...withIt].map((settings) => ({ ...needed, ...settings }));
  const args = ['--input-type=module', '-e', PROGRAM, JSON.stringify(asked)];
  const { stdout } = await run(process.execPath, args);
  expect(JSON.parse(stdout)).toEqual([
    ...without.map(() => ({ isLoaded: false, isServed: false })),
    ...withIt.map(() => ({ isLoaded: true, isServed: true })),
  ]);
});
