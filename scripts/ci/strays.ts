/**
 * A vitest reporter: what failed outside a test and is not in its JSON report. Uncaught errors, with the file that was
 * running at the time, and why a group's hooks failed. Writes to the file that MILLPOND_CI_STRAYS names.
 */
import { writeFileSync } from 'node:fs';
import type { Reporter, SerializedError, TestModule } from 'vitest/node';
import type { HookError, Strays, Unhandled } from './report.ts';

export default class StraysReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    const target = process.env.MILLPOND_CI_STRAYS;
    const strays: Strays = { unhandled: errors.map(unhandled), hooks: modules.flatMap(hookErrors) };
    if (target !== undefined) writeFileSync(target, JSON.stringify(strays));
  }
}

function hookErrors(module: TestModule): HookError[] {
  return [...module.children.allSuites()].flatMap((suite) =>
    suite.errors().map(({ message }) => ({ file: module.moduleId, group: suite.fullName, message })),
  );
}

function unhandled(error: SerializedError): Unhandled {
  const { VITEST_TEST_PATH: file, VITEST_TEST_NAME: test } = error as Readonly<Record<string, unknown>>;
  return {
    message: error.message,
    ...(typeof file === 'string' && { file }),
    ...(typeof test === 'string' && { test }),
  };
}
