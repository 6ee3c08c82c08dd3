import { expect, test } from 'vitest';
import { ResponseCache } from './response-cache.ts';

const bytes = (text: string) => Buffer.from(text);

test('whatever strangers ask and are refused, devices have the same answer again', () => {
  const answers = new ResponseCache(() => 0);
  answers.judging('device');
  expect(answers.of('device')).toBe('pending');
  answers.device('device', bytes('200'));
  answers.judging('slow');
  for (let n = 0; n < 30_000; n++) {
    answers.judging(`stranger ${n}`);
    answers.stranger(`stranger ${n}`, bytes('403'));
  }
  expect([answers.of('device'), answers.of('slow')]).toEqual([bytes('200'), 'pending']);
  expect(answers.of('stranger 29999')).toEqual(bytes('403'));
  expect(answers.of('stranger 0')).toBeUndefined();
});

test('looking for an answer leaves nothing behind', () => {
  const answers = new ResponseCache(() => 0);
  expect(answers.of('a')).toBeUndefined();
  expect(answers.of('a')).toBeUndefined();
});
