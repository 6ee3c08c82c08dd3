import { describe, expect, test } from 'vitest';
import { coverage, unknownIds } from './coverage.ts';
import { readReports } from './report.ts';
import { missing } from './requirement.ts';
import type { Statement } from './statement.ts';
import { summarize } from './summary.ts';

const heading = { subject: 'fetch', where: 'Endpoints 1', milestone: 'objects' } as const;
const statements: Statement[] = [
  { ...heading, id: 'fetch-01', from: 'interface', text: 'shown and passing' },
  { ...heading, id: 'fetch-02', from: 'interface', text: 'shown and failing' },
  { ...heading, id: 'fetch-03', from: 'interface', text: 'named by a unit test only' },
  { ...heading, id: 'fetch-rule-01', from: 'decision', text: 'named by a unit test only' },
  { ...heading, id: 'G7', from: 'trap', text: 'named by a skipped test only', milestone: 'ground' },
];

function report(files: Record<string, [string, string][]>, status = 'passed'): string {
  const testResults = Object.entries(files).map(([name, tests]) => ({
    name: `/repo/${name}`,
    status,
    assertionResults: tests.map(([title, outcome]) => ({
      title,
      fullName: `group ${title}`,
      status: outcome,
    })),
  }));
  return JSON.stringify({ testResults });
}

const read = (...texts: string[]) => readReports(texts, '/repo');
const stateOf = (results: ReturnType<typeof read>) =>
  Object.fromEntries(coverage(statements, results).map(({ statement, state }) => [statement.id, state]));

const results = read(
  report({
    'quality/acceptance/fetch.test.ts': [
      ['stores the file [fetch-01 fetch-02]', 'passed'],
      ['names it by hash [fetch-02]', 'failed'],
      ['order of fields [G7]', 'skipped'],
      ['typing error [fetch-77]', 'passed'],
    ],
    'packages/protocol/src/x.test.ts': [['pure part [fetch-03 fetch-rule-01]', 'passed']],
  }),
);

describe('coverage', () => {
  test('interface statements need the acceptance suite, others any test, and skipped tests show nothing', () => {
    expect(stateOf(results)).toEqual({
      'fetch-01': 'passing',
      'fetch-02': 'failing',
      'fetch-03': 'uncovered',
      'fetch-rule-01': 'passing',
      G7: 'uncovered',
    });
  });

  test('an id that no statement has is reported with its test', () => {
    expect(unknownIds(statements, results)).toMatchObject([
      { id: 'fetch-77', test: { title: 'typing error' } },
    ]);
  });

  test('the summary counts and lists', () => {
    expect(summarize(coverage(statements, results))).toMatchObject({
      statements: 5,
      covered: 3,
      passing: 2,
      failing: ['fetch-02'],
      uncovered: ['fetch-03', 'G7'],
      subjects: { fetch: { statements: 5 } },
      milestones: { ground: { statements: 1, covered: 0, passing: 0 } },
      sources: { interface: { statements: 3, covered: 2, passing: 1 } },
    });
  });

  test('a failing unit test fails the interface statement that it names', () => {
    const both = read(
      report({
        'quality/acceptance/a.test.ts': [['a [fetch-01]', 'passed']],
        'packages/b.test.ts': [['b [fetch-01]', 'failed']],
      }),
    );
    expect(stateOf(both)['fetch-01']).toBe('failing');
  });

  test.each([
    ['passed', 'failed', 'failing'],
    ['failed', 'passed', 'failing'],
    ['skipped', 'passed', 'passing'],
    ['passed', 'skipped', 'passing'],
  ])('one test in two reports, %s and %s, is %s', (first, second, state) => {
    const files = (outcome: string): Record<string, [string, string][]> => ({
      'quality/acceptance/a.test.ts': [['a [fetch-01]', outcome]],
    });
    expect(stateOf(read(report(files(first)), report(files(second))))['fetch-01']).toBe(state);
  });

  test('a requirement names what does not pass, up to its stage', () => {
    const shown = coverage(statements, results);
    const idsMissing = (requirement: Parameters<typeof missing>[1]) =>
      missing(shown, requirement).map(({ id }) => id);
    expect(idsMissing({ subjects: [] })).toEqual([]);
    expect(idsMissing({ subjects: ['fetch'] })).toEqual(['fetch-02', 'fetch-03', 'G7']);
    expect(idsMissing({ subjects: [], milestone: 'ground' })).toEqual(['G7']);
    expect(idsMissing({ subjects: ['fetch'], milestone: 'uploads' })).toEqual(['G7']);
    expect(idsMissing({ subjects: ['live'] })).toEqual([]);
  });
});

describe('reports', () => {
  test('a file that failed outside its tests is named, one with a failed test is not', () => {
    const broken = read(report({ 'quality/acceptance/broken.test.ts': [] }, 'failed'));
    expect(broken.brokenFiles).toEqual(['quality/acceptance/broken.test.ts']);
    const failed = read(report({ 'quality/acceptance/a.test.ts': [['a', 'failed']] }, 'failed'));
    expect(failed.brokenFiles).toEqual([]);
  });

  test('a hook that failed leaves its tests skipped: the file is named', () => {
    const { brokenFiles } = read(
      report({ 'quality/acceptance/a.test.ts': [['a [G7]', 'skipped']] }, 'failed'),
    );
    expect(brokenFiles).toEqual(['quality/acceptance/a.test.ts']);
  });

  test.each(['', '[]', '{}', '{"testResults":[{"name":1}]}'])('%j is not a report', (text) => {
    expect(() => read(text)).toThrow('not a test report');
  });
});
