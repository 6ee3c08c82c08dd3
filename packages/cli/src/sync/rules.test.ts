import { InvalidArgumentError } from 'commander';
import { describe, expect, test } from 'vitest';
import { FilterRules, parseRule } from './rules.ts';

function rules(...texts: readonly string[]): FilterRules {
  return new FilterRules(
    texts.map((text) => parseRule(text.startsWith('+') ? 'include' : 'exclude', text.slice(1))),
  );
}

describe('patterns', () => {
  test.each([
    ['*.tmp', ['a.tmp', 'd/a.tmp', 'a.tmp/below', '.tmp'], ['a.tmpx', 'a/tmp', 'tmp']],
    ['/*.tmp', ['a.tmp', 'a.tmp/below'], ['d/a.tmp']],
    ['cache', ['cache', 'cache/x', 'd/cache/x/y'], ['cached', 'my cache', 'd/cache.txt']],
    ['cache/', ['cache/x', 'd/cache/x'], ['cache', 'd/cache']],
    ['/a/b', ['a/b', 'a/b/c'], ['a/bc', 'x/a/b', 'a']],
    ['a/b', ['a/b', 'x/a/b/c'], ['xa/b', 'a/x/b']],
    ['a/**/b', ['a/b', 'a/x/b', 'a/x/y/b/z'], ['ab', 'a/xb']],
    ['/**/z', ['z', 'a/z', 'a/b/z'], ['az']],
    ['/log/**', ['log/a', 'log/a/b'], ['log', 'x/log/a']],
    ['?.txt', ['a.txt', '𝄞.txt', 'd/b.txt'], ['ab.txt', '/.txt', '.txt']],
    ['[a-c]x', ['ax', 'cx'], ['dx', '-x']],
    ['[!a-c]x', ['dx', '^x'], ['ax', 'd/', 'e/ax']],
    ['[]x', ['[]x'], [']x', 'x']],
    ['[\\]^]', [']', '^'], ['\\', 'a']],
    ['\\*', ['*'], ['a']],
    ['a+(b).$', ['a+(b).$'], ['aab.$']],
    ['a\nb*', ['a\nbc'], ['ab']],
    ['*', ['a', 'a/b', 'a\n'], []],
  ])('%j', (glob, matched, others) => {
    const excluding = rules(`-${glob}`);
    for (const name of matched) expect([name, excluding.takes(name)]).toEqual([name, false]);
    for (const name of others) expect([name, excluding.takes(name)]).toEqual([name, true]);
  });

  test.each(['', '/', '[z-a]'])('%j is none', (glob) => {
    expect(() => parseRule('exclude', glob)).toThrow(InvalidArgumentError);
  });
});

test('the first rule that matches decides; with nothing but inclusions the rest is out', () => {
  const none = rules();
  expect(none.takes('a')).toBe(true);
  const images = rules('+*.jpg');
  expect([images.takes('d/a.jpg'), images.takes('d/a.txt')]).toEqual([true, false]);
  const allBut = rules('+/keep/', '-*.tmp', '+*.tmp');
  expect(['keep/a.tmp', 'a.tmp', 'a.txt'].map((name) => allBut.takes(name))).toEqual([true, false, true]);
  const onlyImages = rules('-/private/', '+*.jpg', '-*');
  expect(['a.jpg', 'd/e/a.jpg', 'private/a.jpg', 'a'].map((name) => onlyImages.takes(name))).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test('a folder is not read only where nothing below it can take part', () => {
  expect(rules('-node_modules').bars('a/node_modules/')).toBe(true);
  expect(rules('-node_modules').bars('a/')).toBe(false);
  expect(rules('+*.jpg', '-*').bars('a/')).toBe(false);
  expect(rules('-cache/', '+*.jpg', '-*').bars('cache/')).toBe(true);
  expect(rules('+*.jpg').bars('a/')).toBe(false);
  expect(rules().bars('a/')).toBe(false);
});
