/** The closing line of a CI run: counts the tests of its reports, and each failed step as one more failure. */
import { readFileSync } from 'node:fs';

const [failedSteps = '0', ...reports] = process.argv.slice(2);
let passed = 0;
let failed = Number(failedSteps);
for (const file of reports) {
  const report = JSON.parse(readFileSync(file, 'utf8')) as {
    numPassedTests: number;
    numFailedTests: number;
    success: boolean;
  };
  passed += report.numPassedTests;
  failed += report.numFailedTests;
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);
