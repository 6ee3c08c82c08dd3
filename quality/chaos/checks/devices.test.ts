import { expect, test } from 'vitest';
import { Findings } from '../report.ts';
import { checkDevices } from './devices.ts';

const told = (...states: [id: string, key: string, state: string][]) =>
  states.map(([id, key, deviceState]) => {
    const [gbid = '', chGbid = ''] = key.split('/');
    return { id, gbid, chGbid, deviceState };
  });
const expected = new Map([
  ['a/', ['online', 'offline']],
  ['a/1', ['online']],
]);
const judged = (...states: Parameters<typeof told>) => {
  const findings = new Findings();
  return { repeated: checkDevices(told(...states), expected, findings), findings };
};

test('what was told is what was, and what came twice is no fault', () => {
  const { repeated, findings } = judged(
    ['1', 'a/', 'online'],
    ['2', 'a/1', 'online'],
    ['3', 'a/', 'offline'],
    ['3', 'a/', 'offline'],
  );
  expect([repeated, findings.good]).toEqual([1, true]);
});

test('what is missing, out of order, too much, or of nobody is found', () => {
  expect(judged(['1', 'a/', 'online'], ['2', 'a/1', 'online']).findings.toReport()).toMatchObject({
    lost: 1,
    wrong: 1,
  });
  expect(
    judged(['1', 'a/', 'offline'], ['2', 'a/', 'online'], ['3', 'a/1', 'online']).findings.count('wrong'),
  ).toBe(2);
  const more = judged(
    ['1', 'a/', 'online'],
    ['2', 'a/', 'offline'],
    ['3', 'a/1', 'online'],
    ['4', 'a/1', 'online'],
  );
  expect(more.findings.toReport()).toMatchObject({ duplicated: 1 });
  const stray = judged(
    ['1', 'a/', 'online'],
    ['2', 'a/', 'offline'],
    ['3', 'a/1', 'online'],
    ['4', 'b/', 'online'],
  );
  expect(stray.findings.count('wrong')).toBe(1);
});
