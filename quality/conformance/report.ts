/** Reads the JSON reports of vitest into test results. Several reports are one result: the worst outcome of a test counts. */
import { isAbsolute, relative, sep } from 'node:path';
import { idsInTitle, titleWithoutIds } from './title.ts';

type Outcome = 'passed' | 'failed' | 'skipped';

export interface TestResult {
  /** From the root of the repository, with `/`. */
  readonly file: string;
  /** Without the ids. */
  readonly title: string;
  readonly ids: readonly string[];
  readonly outcome: Outcome;
}

export interface Results {
  readonly tests: readonly TestResult[];
  /** Files that failed outside a test, so that their tests are missing or were skipped. */
  readonly brokenFiles: readonly string[];
}

const severity: Readonly<Record<Outcome, number>> = { skipped: 0, passed: 1, failed: 2 };

export function readReports(texts: readonly string[], root: string): Results {
  const tests = new Map<string, TestResult>();
  const brokenFiles = new Set<string>();
  for (const text of texts) {
    for (const fileReport of fileReports(text)) {
      const file = fileIn(root, textOf(fileReport, 'name'));
      const assertions = listOf(fileReport, 'assertionResults').map((assertion) => ({
        name: textOf(assertion, 'fullName'),
        title: textOf(assertion, 'title'),
        outcome: outcomeOf(textOf(assertion, 'status')),
      }));
      const failedInside = assertions.some(({ outcome }) => outcome === 'failed');
      if (textOf(fileReport, 'status') === 'failed' && !failedInside) brokenFiles.add(file);
      for (const { name, title, outcome } of assertions) {
        const key = `${file}\n${name}`;
        const earlier = tests.get(key);
        if (earlier !== undefined && severity[earlier.outcome] >= severity[outcome]) continue;
        tests.set(key, { file, title: titleWithoutIds(title), ids: idsInTitle(title), outcome });
      }
    }
  }
  return { tests: [...tests.values()], brokenFiles: [...brokenFiles] };
}

/** Whether a test counts depends on its folder, so a report of another checkout would show less than it proves. */
function fileIn(root: string, name: string): string {
  const file = relative(root, name);
  if (isAbsolute(file) || file.split(sep)[0] === '..')
    throw new Error(
      `the report was made in another checkout: ${name} is not in ${root}. Run this in the checkout that made the report`,
    );
  return file.split(sep).join('/');
}

function outcomeOf(status: string): Outcome {
  return status === 'passed' || status === 'failed' ? status : 'skipped';
}

function fileReports(text: string): unknown[] {
  let report: unknown;
  try {
    report = JSON.parse(text);
  } catch (cause) {
    throw new Error('not a test report: not JSON', { cause });
  }
  return listOf(report, 'testResults');
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

function listOf(value: unknown, name: string): unknown[] {
  const member = memberOf(value, name);
  if (!Array.isArray(member)) throw new Error(`not a test report: ${name} is not a list`);
  return member;
}

function textOf(value: unknown, name: string): string {
  const member = memberOf(value, name);
  if (typeof member !== 'string') throw new Error(`not a test report: ${name} is not a text`);
  return member;
}
