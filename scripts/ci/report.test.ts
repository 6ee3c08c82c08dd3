import { expect, test } from 'vitest';
import { failuresOf, filesToRepeat, passedIn, type Report, withReasons, withSecondRun } from './report.ts';

const passed = (fullName: string) => ({ fullName, status: 'passed', failureMessages: [] });
const failed = (fullName: string) => ({ fullName, status: 'failed', failureMessages: ['too slow'] });
const file = (name: string, ...tests: readonly ReturnType<typeof failed | typeof passed>[]) => ({
  name,
  status: tests.some(({ status }) => status === 'failed') ? 'failed' : 'passed',
  message: '',
  assertionResults: tests,
});
const report = (...testResults: Report['testResults']): Report => ({ testResults });

test('files to repeat: those with a failed test, those that failed outside a test, those of an unhandled error; each once', () => {
  const broken = { ...file('/c.test.ts'), status: 'failed', message: 'no such module' };
  const first = report(
    file('/a.test.ts', passed('one')),
    file('/b.test.ts', failed('two'), failed('three')),
    file('/b.test.ts', failed('two')),
    broken,
  );
  expect(
    filesToRepeat(first, [{ message: 'stray', file: '/a.test.ts' }, { message: 'nobody knows' }]),
  ).toEqual(['/b.test.ts', '/c.test.ts', '/a.test.ts']);
  expect(failuresOf(first).at(-1)).toEqual({ file: '/c.test.ts', test: '', reason: 'no such module' });
});

test('a second run that passes takes the place of the first, in both projects', () => {
  const first = report(
    file('/a.test.ts', passed('one')),
    file('/b.test.ts', failed('two')),
    file('/b.test.ts', passed('two')),
  );
  const second = report(file('/b.test.ts', passed('two')), file('/b.test.ts', passed('two')));
  const merged = withSecondRun(first, second, '/b.test.ts');
  expect(failuresOf(merged)).toEqual([]);
  expect(passedIn(merged)).toBe(3);
});

test('a second run that fails, or runs nothing, leaves the file failed', () => {
  const first = report(file('/b.test.ts', failed('two'), passed('three')));
  const again = report(file('/b.test.ts', failed('two'), passed('three')));
  expect(failuresOf(withSecondRun(first, again, '/b.test.ts'))).toHaveLength(1);
  expect(failuresOf(withSecondRun(first, report(), '/b.test.ts'))).toHaveLength(1);
  expect(failuresOf(withSecondRun(first, report(file('/b.test.ts')), '/b.test.ts'))).toHaveLength(1);
});

test('a file that failed by a hook of a group says why', () => {
  const broken = { ...file('/c.test.ts'), status: 'failed' };
  const hooks = [{ file: '/c.test.ts', group: 'from the packages', message: 'no registry' }];
  const [failure] = failuresOf(withReasons(report(broken), hooks));
  expect(failure?.reason).toBe('from the packages: no registry');
});
