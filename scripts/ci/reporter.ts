/** A vitest reporter: what CI counts of a suite, to the file that MILLPOND_CI_REPORT names. */
import { writeFileSync } from 'node:fs';
import type { Reporter, SerializedError, TestCase, TestModule } from 'vitest/node';

export interface Fault {
  /** The file's whole path; empty if nobody knows it. */
  readonly file: string;
  /** A test, or a group whose hook failed; empty for the file itself. */
  readonly test: string;
  readonly reason: string;
}

export interface Report {
  readonly passed: number;
  /** Tests, and what vitest doesn't try again: hooks, files that can't be loaded, errors that no test caught. */
  readonly failures: readonly Fault[];
  /** Tests that failed and then passed. */
  readonly flaky: readonly Fault[];
}

export default class CiReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    const target = process.env.MILLPOND_CI_REPORT;
    if (target !== undefined) writeFileSync(target, JSON.stringify(reportOf(modules, errors)));
  }
}

function reportOf(modules: readonly TestModule[], errors: readonly SerializedError[]): Report {
  const tests = modules.flatMap((module) => [...module.children.allTests()]);
  const inState = (state: string) => tests.filter((test) => test.result().state === state);
  return {
    passed: inState('passed').length,
    failures: [...inState('failed').map(faultOf), ...modules.flatMap(faultsOutside), ...errors.map(uncaught)],
    flaky: tests.filter((test) => test.diagnostic()?.flaky).map(faultOf),
  };
}

/** The errors of a test that passed in the end are those of its first run. */
function faultOf(test: TestCase): Fault {
  const reason = test.result().errors?.[0]?.message ?? '';
  return { file: test.module.moduleId, test: test.fullName, reason };
}

function faultsOutside(module: TestModule): Fault[] {
  const file = module.moduleId;
  return [
    ...module.errors().map(({ message }) => ({ file, test: '', reason: message })),
    ...[...module.children.allSuites()].flatMap((group) =>
      group.errors().map(({ message }) => ({ file, test: group.fullName, reason: message })),
    ),
  ];
}

/** With the file that was running at the time, and the test, if they are known. */
function uncaught(error: SerializedError): Fault {
  const { VITEST_TEST_PATH: file, VITEST_TEST_NAME: test } = error as Readonly<Record<string, unknown>>;
  return {
    file: typeof file === 'string' ? file : '',
    test: typeof test === 'string' ? test : '',
    reason: `not caught: ${error.message}`,
  };
}
