import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const main = join(import.meta.dirname, 'main.ts');
const acceptanceFile = join(import.meta.dirname, '..', 'acceptance', 'sample.test.ts');
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'conformance-test-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function run(tests: [title: string, status: string][], ...args: string[]) {
  const file = join(folder, 'report.json');
  const assertionResults = tests.map(([title, status]) => ({ title, fullName: title, status }));
  const testResults = [{ name: acceptanceFile, status: 'passed', assertionResults }];
  await writeFile(file, JSON.stringify({ testResults }));
  return execute('--from-report', file, ...args);
}

function execute(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [main, ...args], (_, out, err) => {
      resolve({ code: child.exitCode ?? -1, out, err });
    });
  });
}

describe('npm run conformance', () => {
  test('what is shown passes: exit 0, and the last line has the figures', async () => {
    const { code, out } = await run([['a [upload-01]', 'passed']]);
    expect(code).toBe(0);
    expect(out.trimEnd().split('\n').at(-1)).toMatch(/^\d+ statements, 1 covered, 1 passing, 0 failing$/);
  });

  test('--json prints one line, and --subject narrows it', async () => {
    const { code, out } = await run([['a [upload-01]', 'passed']], '--json', '--subject', 'uploads');
    expect(code).toBe(0);
    expect(out.trimEnd().split('\n')).toHaveLength(1);
    const line: unknown = JSON.parse(out);
    expect(line).toMatchObject({ covered: 1, passing: 1, unknownIds: [], failing: [], missing: [] });
    expect(line).toHaveProperty('subjects.uploads.covered', 1);
    expect(line).not.toHaveProperty('subjects.fetch');
  });

  test('an unknown id: exit 1, and its test is named', async () => {
    const { code, err } = await run([['a [upload-99]', 'passed']]);
    expect(code).toBe(1);
    expect(err).toContain('unknown id upload-99: "a" in acceptance/sample.test.ts');
  });

  test('a shown statement that fails: exit 1', async () => {
    const { code, err } = await run([['a [upload-01]', 'failed']]);
    expect(code).toBe(1);
    expect(err).toContain('failing upload-01: "a"');
  });

  test('a required subject that is not shown: exit 1, and what is missing is named', async () => {
    const { code, err } = await run([['a [upload-01]', 'passed']], '--require', 'uploads,fetch');
    expect(code).toBe(1);
    expect(err).toContain('required and not passing fetch-01: ');
    expect(err).not.toContain('required and not passing upload-01: ');
  });

  test.each([['--require', 'nothing'], ['--require-milestone', 'never'], ['stray'], ['--wrong']])(
    'a wrong command line %s %s: exit 2 with the usage',
    async (...args) => {
      const { code, err } = await execute(...args.filter((arg) => arg !== undefined));
      expect(code).toBe(2);
      expect(err).toContain('npm run conformance');
    },
  );
});
