/**
 * The end of a CI run: what failed and why, in a few lines, what passed only the second time, then the closing line.
 * Each step that is not a test counts as one, passed or failed.
 *
 * node scripts/ci/summary.ts <passed steps> <failed steps> <folder of reports> <suite>…
 */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { failuresOf, passedIn, type Report } from './report.ts';

const MAX_SHOWN = 20;
const MAX_REASON_LENGTH = 400;

const [passedSteps = '0', failedSteps = '0', folder = '', ...suites] = process.argv.slice(2);
const reports = suites
  .map((suite) => path.join(folder, `${suite}.json`))
  .filter((file) => existsSync(file))
  .map((file) => JSON.parse(readFileSync(file, 'utf8')) as Report);
const failures = reports.flatMap(failuresOf);
const shown = failures
  .slice(0, MAX_SHOWN)
  .map(({ file, test, reason }) => `${file}: ${test}: ${reason.slice(0, MAX_REASON_LENGTH)}`);
if (shown.length > 0) console.log(`\n${shown.join('\n')}\n`);
const flaky = path.join(folder, 'flaky');
if (existsSync(flaky)) process.stdout.write(readFileSync(flaky, 'utf8'));
const passed = reports.reduce((total, report) => total + passedIn(report), Number(passedSteps));
const failed = Number(failedSteps) + failures.length;
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);
