/** Tests are divided by their names: only those that end in .engines.test.ts may use what an engine is needed for. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const ROOT = path.join(import.meta.dirname, '../..');
const FOLDERS = ['packages', 'scripts', 'deploy', 'quality'];
/** They have a configuration of their own. */
const OTHERS =
  /^(?:quality\/acceptance|deploy\/images|scripts\/guides\/(?:container|machines)|scripts\/site\/browser)\//;
const IMPORT = /^import (?:type )?\{([^}]*)\} from '([^']+)'/gm;
const HELPERS = new Set([
  'createDatabase',
  'createDeployment',
  'createRtmpEngine',
  'startSparePostgres',
  'readEnginesEnv',
  'superuserUrl',
  'engineCommand',
  'ensureTemplates',
  'servedMetrics',
  'installPackages',
  'useDatabases',
  'useBlobs',
  'engineOptions',
  'openSandbox',
  'renderChart',
]);

const helpersIn = (text: string): string[] =>
  [...text.matchAll(IMPORT)]
    .filter(([statement]) => !statement.startsWith('import type'))
    .flatMap(([, names = '']) => names.split(',').map((name) => name.trim()))
    .filter((name) => HELPERS.has(name));

const testFiles = FOLDERS.flatMap((folder) =>
  readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
    path.posix.join(folder, file),
  ),
).filter((file) => file.endsWith('.test.ts') && !file.includes('node_modules/') && !OTHERS.test(file));

test('a helper is found where it is imported', () => {
  expect(helpersIn("import {\n  freePort,\n  createDatabase,\n} from '@millpond/testing';\n")).toEqual([
    'createDatabase',
  ]);
  expect(helpersIn("import type { createDatabase } from '@millpond/testing';\n")).toEqual([]);
});

test('no pure test imports what needs an engine', () => {
  const pure = testFiles.filter((file) => !file.endsWith('.engines.test.ts'));
  expect(pure.length).toBeGreaterThan(300);
  const found = pure.flatMap((file) =>
    helpersIn(readFileSync(path.join(ROOT, file), 'utf8')).map((helper) => `${file}: ${helper}`),
  );
  expect(found).toEqual([]);
});
