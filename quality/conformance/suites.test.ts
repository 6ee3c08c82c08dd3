import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readReports } from './report.ts';
import { runSuites } from './suites.ts';

let root: string;

const acceptanceTest = `import { beforeAll, describe, expect, test } from 'vitest';
describe('group', () => {
  test('passes [a-01]', () => expect(1).toBe(1));
  test('fails [a-02]', () => expect(1).toBe(2));
  test.skip('is skipped [a-03]', () => {});
  test.todo('is to do [a-04]');
  test.each([1, 2])('each %i [a-05]', (n) => expect(n).toBe(1));
});`;
const brokenHookTest = `import { beforeAll, test } from 'vitest';
beforeAll(() => { throw new Error('no server'); });
test('never runs [a-06]', () => {});`;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'conformance-suites-'));
  await symlink(join(import.meta.dirname, '../../node_modules'), join(root, 'node_modules'));
  await mkdir(join(root, 'quality/acceptance'), { recursive: true });
  await mkdir(join(root, 'unit'));
  const files = {
    'package.json': '{"type":"module"}',
    'vitest.config.ts': `export default { test: { include: ['unit/*.test.ts'] } };`,
    'quality/acceptance/vitest.config.ts': `export default { test: { include: ['quality/acceptance/*.test.ts'] } };`,
    'quality/acceptance/a.test.ts': acceptanceTest,
    'quality/acceptance/hook.test.ts': brokenHookTest,
    'quality/acceptance/broken.test.ts': `import './nowhere.ts';`,
    'unit/b.test.ts': `import { test } from 'vitest'; test('holds [b-01 G7]', () => {});`,
  };
  await Promise.all(Object.entries(files).map(([name, text]) => writeFile(join(root, name), text)));
});
afterAll(() => rm(root, { recursive: true, force: true }));

test('both suites run, and the reports of this vitest are read with every outcome', async () => {
  const { tests, brokenFiles } = readReports(await runSuites(root, 'ignore'), root);
  const outcomes = tests.map(({ file, ids, outcome }) => `${file} ${ids.join('+')} ${outcome}`);
  expect(outcomes.toSorted()).toEqual([
    'quality/acceptance/a.test.ts a-01 passed',
    'quality/acceptance/a.test.ts a-02 failed',
    'quality/acceptance/a.test.ts a-03 skipped',
    'quality/acceptance/a.test.ts a-04 skipped',
    'quality/acceptance/a.test.ts a-05 failed',
    'quality/acceptance/a.test.ts a-05 passed',
    'quality/acceptance/hook.test.ts a-06 skipped',
    'unit/b.test.ts b-01+G7 passed',
  ]);
  expect(brokenFiles.toSorted()).toEqual([
    'quality/acceptance/broken.test.ts',
    'quality/acceptance/hook.test.ts',
  ]);
});

test('a suite that cannot start is said so', async () => {
  await expect(runSuites(join(root, 'unit'), 'ignore')).rejects.toThrow(
    'the acceptance suite wrote no report',
  );
});
