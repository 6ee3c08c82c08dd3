/**
 * The end of a CI run: what failed and why, in a few lines, then the closing line. Each failed step that is no test
 * counts as one failure more.
 */
import { readFileSync } from 'node:fs';

interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

const MOST_SHOWN = 20;
const MOST_OF_A_REASON = 400;

const [failedSteps = '0', ...files] = process.argv.slice(2);
const reports = files.map((file) => JSON.parse(readFileSync(file, 'utf8')) as Report);
const failures = reports.flatMap(({ testResults }) => testResults.flatMap(failuresOf));
if (failures.length > 0) console.log(`\n${failures.slice(0, MOST_SHOWN).join('\n')}\n`);
const passed = sum(reports.map(({ numPassedTests }) => numPassedTests));
const failed = Number(failedSteps) + sum(reports.map(({ numFailedTests }) => numFailedTests));
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);

function failuresOf({ name, status, message, assertionResults }: Report['testResults'][number]): string[] {
  const tests = assertionResults.filter((result) => result.status === 'failed');
  if (tests.length > 0)
    return tests.map((test) => `${name}: ${test.fullName}: ${reason(test.failureMessages[0] ?? '')}`);
  return status === 'failed' ? [`${name}: ${reason(message)}`] : [];
}

function reason(message: string): string {
  return message.slice(0, MOST_OF_A_REASON);
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
