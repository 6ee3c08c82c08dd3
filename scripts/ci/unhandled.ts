/**
 * A reporter of vitest: errors that no test caught, with the file that ran when they came. The JSON report has none of
 * them. Writes to the file that MILLPOND_CI_UNHANDLED names.
 */
import { writeFileSync } from 'node:fs';
import type { Reporter, SerializedError, TestModule } from 'vitest/node';
import type { Unhandled } from './report.ts';

export default class UnhandledReporter implements Reporter {
  onTestRunEnd(_modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    const target = process.env.MILLPOND_CI_UNHANDLED;
    if (target !== undefined) writeFileSync(target, JSON.stringify(errors.map(unhandled)));
  }
}

function unhandled(error: SerializedError): Unhandled {
  const { VITEST_TEST_PATH: file, VITEST_TEST_NAME: test } = error as Readonly<Record<string, unknown>>;
  return {
    message: error.message,
    ...(typeof file === 'string' && { file }),
    ...(typeof test === 'string' && { test }),
  };
}
