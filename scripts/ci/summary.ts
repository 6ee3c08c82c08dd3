/**
 * The end of a CI run: what failed and why, in a few lines, what passed only the second time, then the closing line. A flaky test lets a
 * change pass, and is a fault to fix in the next one; a test that flakes twice in a run fails it. Each step that is not a test counts
 * as one, passed or failed.
 *
 * node scripts/ci/summary.ts <passed steps> <failed steps> <folder of reports> <suite>…
 *
 * In the folder, from scripts/ci/steps.sh: <suite>.ci as reporter.ts writes it, <suite>.failed if vitest failed, and lines in `flaky`.
 */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Fault, Report } from './reporter.ts';

const MAX_SHOWN = 20;
const MAX_REASON_LENGTH = 400;

const root = path.join(import.meta.dirname, '../..');
const [passedSteps = '0', failedSteps = '0', folder = '', ...suites] = process.argv.slice(2);
const at = (name: string): string => path.join(folder, name);

const reports = suites.map(readReport);
const flaky = reports.flatMap((report) => report.flaky);
const failures = [
  ...reports.flatMap((report) => report.failures),
  ...flaky.filter(isSecond).map(flakedTwice),
];
for (const fault of failures.slice(0, MAX_SHOWN)) console.log(lineOf(fault));
for (const fault of flaky) console.log(`flaky: ${lineOf(fault)}`);
if (existsSync(at('flaky'))) process.stdout.write(readFileSync(at('flaky'), 'utf8'));
const passed = reports.reduce((total, report) => total + report.passed, Number(passedSteps));
const failed = Number(failedSteps) + failures.length;
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;

/** vitest may end before it reports, and may fail after it. */
function readReport(suite: string): Report {
  const report = existsSync(at(`${suite}.ci`))
    ? (JSON.parse(readFileSync(at(`${suite}.ci`), 'utf8')) as Report)
    : undefined;
  const isExplained =
    report !== undefined && (report.failures.length > 0 || !existsSync(at(`${suite}.failed`)));
  if (isExplained) return report;
  const fault = { file: '', test: '', reason: `${suite}: vitest failed, and reported no reason` };
  return { passed: report?.passed ?? 0, failures: [fault], flaky: report?.flaky ?? [] };
}

function isSecond({ file, test }: Fault, index: number): boolean {
  return flaky.findIndex((each) => each.file === file && each.test === test) < index;
}

function flakedTwice(fault: Fault): Fault {
  return { ...fault, reason: `flaked twice: ${fault.reason}` };
}

function lineOf({ file, test, reason }: Fault): string {
  const place = file === '' ? [] : [path.relative(root, file)];
  return [...place, ...(test === '' ? [] : [test]), reason.slice(0, MAX_REASON_LENGTH)].join(': ');
}
