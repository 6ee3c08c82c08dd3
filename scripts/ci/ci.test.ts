import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

/** One of each kind; `flaky` stands for two tests of one name, as on two stores. */
const tests = {
  flaky: `let runs = 0; test('second', () => expect(++runs).toBe(2)); test('never', () => expect(1).toBe(2));`,
  dead: `import './nowhere.js'; test('unseen', () => {});`,
  group: `describe('group', () => { beforeAll(() => { throw new Error('no registry'); }); test('unseen', () => {}); });`,
  hook: `beforeAll(() => { throw new Error('no engine'); }); test('unseen', () => {});`,
  stray: `test('quiet', async () => { setTimeout(() => { throw new Error('later'); }); await new Promise((done) => setTimeout(done, 50)); });`,
};
let root: string;

beforeAll(() => {
  root = mkdtempSync(path.join(tmpdir(), 'millpond-ci-'));
  // Else vitest takes that of the folder above.
  writeFileSync(path.join(root, 'vitest.config.js'), 'export default {};');
  for (const [name, text] of Object.entries(tests)) writeFileSync(path.join(root, `${name}.test.js`), text);
  const reporter = path.join(import.meta.dirname, 'reporter.ts');
  const args = [
    'run',
    '--root',
    root,
    '--configLoader=native',
    '--globals',
    '--retry=1',
    `--reporter=${reporter}`,
  ];
  const env = { ...process.env, MILLPOND_CI_REPORT: path.join(root, 'all.ci') };
  expect(spawnSync('vitest', args, { cwd: root, env }).status).toBe(1);
});
afterAll(() => rmSync(root, { recursive: true }));

function summary(steps: number, ...suites: readonly string[]): { status: number | null; lines: string[] } {
  const script = path.join(import.meta.dirname, 'summary.ts');
  const { status, stdout } = spawnSync(process.execPath, [script, '0', String(steps), root, ...suites], {
    encoding: 'utf8',
  });
  const name = (line: string) => line.replace(/\S*\/millpond-ci-\w+\/(\w+)\.test\.js/, '$1');
  return { status, lines: stdout.trimEnd().split('\n').map(name) };
}

function report(name: string, parts: object): void {
  writeFileSync(
    path.join(root, `${name}.ci`),
    JSON.stringify({ passed: 1, failures: [], flaky: [], ...parts }),
  );
}

test('hooks that failed, files that do not load and stray errors fail a run, and a test that passes the second time is named', () => {
  const { status, lines } = summary(0, 'all');
  expect(status).toBe(1);
  expect(lines.slice(0, -2).toSorted()).toEqual([
    expect.stringMatching(/^dead: .*nowhere/),
    expect.stringMatching(/^flaky: never: expected 1 to be 2/),
    'group: group: no registry',
    'hook: no engine',
    'stray: quiet: not caught: later',
  ]);
  expect(lines.slice(-2)).toEqual([
    expect.stringMatching(/^flaky: flaky: second: expected 1 to be 2/),
    '2 passed, 5 failed',
  ]);
});

test('a flaky test lets a run pass; flaking twice, in two projects or two suites, fails it', () => {
  const flaky = [{ file: '', test: 'slow', reason: 'late' }];
  report('once', { flaky });
  expect(summary(0, 'once')).toEqual({ status: 0, lines: ['flaky: slow: late', '1 passed, 0 failed'] });
  report('twice', { flaky });
  const { status, lines } = summary(0, 'once', 'twice');
  expect([status, lines[0], lines.at(-1)]).toEqual([1, 'slow: flaked twice: late', '2 passed, 1 failed']);
});

test('a run fails by a step, by a suite without a report, by one that fails without a reason, and if nothing passed', () => {
  report('good', {});
  expect(summary(0, 'good').status).toBe(0);
  expect(summary(1, 'good')).toEqual({ status: 1, lines: ['1 passed, 1 failed'] });
  expect(summary(0, 'good', 'lost').lines.at(-1)).toBe('1 passed, 1 failed');
  report('silent', {});
  writeFileSync(path.join(root, 'silent.failed'), '');
  expect(summary(0, 'good', 'silent').lines.at(-1)).toBe('2 passed, 1 failed');
  report('nothing', { passed: 0 });
  expect(summary(0, 'nothing').status).toBe(1);
});
