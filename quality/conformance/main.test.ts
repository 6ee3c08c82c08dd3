import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { conformance } from './command.ts';

const main = join(import.meta.dirname, 'main.ts');
const acceptanceFile = join(import.meta.dirname, '..', 'acceptance', 'sample.test.ts');
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'conformance-test-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

type Tests = readonly (readonly [title: string, status: string])[];

async function reportOf(name: string, tests: Tests): Promise<string> {
  const file = join(folder, 'report.json');
  const assertionResults = tests.map(([title, status]) => ({ title, fullName: title, status }));
  await writeFile(file, JSON.stringify({ testResults: [{ name, status: 'passed', assertionResults }] }));
  return file;
}

async function run(tests: Tests, ...args: string[]) {
  return execute('--from-report', await reportOf(acceptanceFile, tests), ...args);
}

interface Finished {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

async function execute(...args: string[]): Promise<Finished> {
  const said = (name: 'log' | 'error'): string[] => {
    const lines: string[] = [];
    vi.spyOn(console, name).mockImplementation((line: unknown) => void lines.push(`${String(line)}\n`));
    return lines;
  };
  const [out, err] = [said('log'), said('error')];
  const code = await conformance(args);
  return { code, out: out.join(''), err: err.join('') };
}

/** The same, as it is started. */
function start(...args: string[]): Promise<Finished> {
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

  test('as it is started it prints the same, and its exit code is that', async () => {
    const report = ['--from-report', await reportOf(acceptanceFile, [['a [upload-01]', 'failed']])];
    const started = await start(...report);
    expect(started).toEqual(await execute(...report));
    expect(started.code).toBe(1);
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
    expect(err).toContain('unknown id upload-99: "a" in quality/acceptance/sample.test.ts');
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

  test('a report of another checkout is refused, and the file that tells is named', async () => {
    const elsewhere = join(folder, 'acceptance', 'sample.test.ts');
    const report = await reportOf(elsewhere, [['a [upload-01]', 'passed']]);
    const { code, out, err } = await execute('--from-report', report);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain(`made in another checkout: ${elsewhere} is not in `);
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
