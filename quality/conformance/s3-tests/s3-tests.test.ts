import { describe, expect, test } from 'vitest';
import { configurationFile } from './configuration.ts';
import { FILES, parseList, readLists } from './lists.ts';
import { parseCommand, UsageError } from './options.ts';
import { reportOf, reportText } from './report.ts';
import { parseResults } from './results.ts';
import { openSuite } from './suite.ts';

const id = (name: string) => `s3tests/functional/test_s3.py::${name}`;

describe('the lists', () => {
  const { expected, further, reasons } = readLists();

  test('name each test once, in a file that is run', () => {
    const all = [...expected, ...further, ...reasons.keys()];
    expect(new Set(all).size).toBe(all.length);
    expect(all.filter((each) => !FILES.some((file) => each.startsWith(`${file}::test_`)))).toEqual([]);
  });

  test('give a reason for what can not pass', () => {
    expect(reasons.size).toBeGreaterThan(0);
    expect([...reasons].filter(([, reason]) => reason === '')).toEqual([]);
  });

  test('have a line for each test, and reasons above them', () => {
    expect(parseList('# no versions\na\n\n b \n# no grants\nc')).toEqual(
      new Map([
        ['a', 'no versions'],
        ['b', 'no versions'],
        ['c', 'no grants'],
      ]),
    );
  });
});

describe("pytest's output", () => {
  const output = [
    `${id('test_one')} PASSED          [ 20%]`,
    `${id('test_two[a b-1]')} FAILED          [ 40%]`,
    `${id('test_three')} SKIPPED (needs a cloud) [ 60%]`,
    `${id('test_four')} PASSED          [ 80%]`,
    `${id('test_four')} ERROR           [ 80%]`,
    '=== FAILURES ===',
    'E   PASSED is a word too',
    `FAILED ${id('test_two[a b-1]')} - assert 500 == 404`,
    `ERROR ${id('test_four')} - KeyError: 'x'`,
  ].join('\n');
  const results = parseResults(output);

  test('is read line by line, the worst of a test counts', () => {
    expect(results.outcomes).toEqual(
      new Map([
        [id('test_one'), 'passed'],
        [id('test_two[a b-1]'), 'failed'],
        [id('test_three'), 'skipped'],
        [id('test_four'), 'failed'],
      ]),
    );
    expect(results.faults.get(id('test_four'))).toBe("KeyError: 'x'");
  });

  test('beside the lists: what is missing, what was lost, what is new; a skip has not passed', () => {
    const lists = {
      expected: new Set([id('test_two[a b-1]'), id('test_three'), id('test_five')]),
      further: new Set([id('test_four')]),
      reasons: new Map<string, string>(),
    };
    const report = reportOf('disk', lists, results, () => true);
    expect(report).toMatchObject({
      expected: 3,
      passed: 0,
      failed: {
        [id('test_two[a b-1]')]: 'assert 500 == 404',
        [id('test_three')]: 'skipped',
        [id('test_five')]: 'it did not run',
      },
      lost: { [id('test_four')]: "KeyError: 'x'" },
      gained: [id('test_one')],
      unexplained: {},
    });
    expect(reportText(report).split('\n').at(-1)).toBe('disk: 0 passed of 3 expected');
  });
});

test('the configuration has every section that the suite reads, and the owners as the server names them', () => {
  const account = (uid: number) => ({ uid, email: `${uid}@example.com`, accessKey: 'ak', secretKey: 'sk' });
  const [main, other, third] = [account(1), account(2), account(3)];
  const text = configurationFile({ url: 'http://127.0.0.1:9000', region: 'z0', main, other, third });
  expect(text.match(/^\[.*\]$/gm)).toEqual(
    ['DEFAULT', 'fixtures', 's3 main', 's3 alt', 's3 tenant', 'iam', 'iam root', 'iam alt root'].map(
      (name) => `[${name}]`,
    ),
  );
  expect(text).toContain('port = 9000\nis_secure = false\n');
  expect(text).toContain('display_name = 2@example.com\nuser_id = 2\n');
});

test('a wrong command line is refused, a folder without the suite too, with what to do', async () => {
  expect(() => parseCommand([])).toThrow(UsageError);
  expect(() => parseCommand(['a', 'b'])).toThrow(UsageError);
  expect(() => parseCommand(['a', '--store', 'tape'])).toThrow(UsageError);
  expect(parseCommand(['a', '--store', 'disk', '--all'])).toMatchObject({
    kind: 'run',
    options: { folder: 'a', store: 'disk', all: true },
  });
  await expect(openSuite('/nowhere', undefined)).rejects.toThrow('git clone');
});
