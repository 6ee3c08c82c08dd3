/** What CI reads from vitest's JSON reports, and how a file's second run replaces its first. Pure. */

interface TestResult {
  readonly fullName: string;
  readonly status: string;
  readonly failureMessages: readonly string[];
}

interface FileResult {
  /** The file's whole path. A file that runs in two projects has two results. */
  readonly name: string;
  readonly status: string;
  readonly message: string;
  readonly assertionResults: readonly TestResult[];
}

export interface Report {
  readonly testResults: readonly FileResult[];
}

/** An error that no test caught: it fails a run whose tests all passed. */
export interface Unhandled {
  readonly message: string;
  /** The file that was running at the time, and the test, if they are known. */
  readonly file?: string;
  readonly test?: string;
}

/** Why a hook of a group of tests failed: the report only says that the file did. */
export interface HookError {
  readonly file: string;
  readonly group: string;
  readonly message: string;
}

/** What failed outside a test. */
export interface Strays {
  readonly unhandled: readonly Unhandled[];
  readonly hooks: readonly HookError[];
}

export interface Failure {
  readonly file: string;
  /** Empty if the file failed outside a test. */
  readonly test: string;
  readonly reason: string;
}

const isFailed = ({ status }: { readonly status: string }): boolean => status === 'failed';

export function failuresOf({ testResults }: Report): Failure[] {
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    const tests = assertionResults.filter(isFailed);
    if (tests.length === 0 && status !== 'failed') return [];
    if (tests.length === 0) return [{ file: name, test: '', reason: message }];
    return tests.map((test) => ({
      file: name,
      test: test.fullName,
      reason: test.failureMessages[0] ?? '',
    }));
  });
}

export function passedIn({ testResults }: Report): number {
  return testResults.flatMap(({ assertionResults }) =>
    assertionResults.filter(({ status }) => status === 'passed'),
  ).length;
}

/** Each file once, in the order of the report. */
export function filesToRepeat(report: Report, unhandled: readonly Unhandled[]): string[] {
  const files = [
    ...failuresOf(report).map(({ file }) => file),
    ...unhandled.flatMap(({ file }) => file ?? []),
  ];
  return [...new Set(files)];
}

/** The first report with this file's results, in all projects, replaced by those of its second run. */
export function withSecondRun(first: Report, second: Report, file: string): Report {
  const ofFile = ({ name }: FileResult): boolean => name === file;
  const again = second.testResults.filter(ofFile);
  // A second run that ran nothing proves nothing.
  if (again.length === 0 || passedIn({ testResults: again }) === 0) return first;
  return { ...first, testResults: [...first.testResults.filter((each) => !ofFile(each)), ...again] };
}

/** The report with the reasons added for files that failed in a group's hook. */
export function withReasons({ testResults, ...rest }: Report, hooks: readonly HookError[]): Report {
  const reasonOf = (file: string): string =>
    hooks
      .filter((hook) => hook.file === file)
      .map(({ group, message }) => `${group}: ${message}`)
      .join('\n');
  return {
    ...rest,
    testResults: testResults.map((result) =>
      isFailed(result) && result.message === '' ? { ...result, message: reasonOf(result.name) } : result,
    ),
  };
}
