/**
 * Ties statements to test results. A statement is covered when a test that names it ran, and passing when none that
 * names it failed. What the published interface says must be shown from outside, by the acceptance suite; decisions
 * and traps may be shown by any test.
 */
import type { Results, TestResult } from './report.ts';
import type { Statement } from './statement.ts';

type State = 'passing' | 'failing' | 'uncovered';

export interface StatementRow {
  readonly statement: Statement;
  readonly state: State;
  /** Some test that counts for it ran. */
  readonly covered: boolean;
  /** Tests that ran and count for it, and failed tests that name it. */
  readonly tests: readonly TestResult[];
}

export interface Unknown {
  readonly id: string;
  readonly test: TestResult;
}

export function coverage(statements: readonly Statement[], { tests }: Results): StatementRow[] {
  const byId = new Map<string, TestResult[]>();
  for (const test of tests) {
    for (const id of test.ids) byId.set(id, [...(byId.get(id) ?? []), test]);
  }
  return statements.map((statement) => show(statement, byId.get(statement.id) ?? []));
}

/** Ids that tests name and no statement has. */
export function unknownIds(statements: readonly Statement[], { tests }: Results): Unknown[] {
  const known = new Set(statements.map(({ id }) => id));
  return tests.flatMap((test) => test.ids.filter((id) => !known.has(id)).map((id) => ({ id, test })));
}

function show(statement: Statement, naming: readonly TestResult[]): StatementRow {
  const ran = naming.filter(({ outcome }) => outcome !== 'skipped');
  const covered = ran.some((test) => counts(statement, test));
  const failing = ran.some(({ outcome }) => outcome === 'failed');
  const tests = ran.filter((test) => counts(statement, test) || test.outcome === 'failed');
  return { statement, covered, tests, state: failing ? 'failing' : covered ? 'passing' : 'uncovered' };
}

function counts(statement: Statement, test: TestResult): boolean {
  return statement.from !== 'interface' || test.file.startsWith('quality/acceptance/');
}
