import { expect, test } from 'vitest';
import { ParsedTemplates } from './parsed-templates.ts';

test('a text is parsed once; another digest is another template', () => {
  const templates = new ParsedTemplates();
  expect(templates.find('a')).toBeUndefined();
  const parsed = templates.keep('a', 'imageInfo;exif');
  expect(parsed.map(({ cmd }) => cmd)).toEqual(['imageInfo', 'exif']);
  expect(templates.find('a')).toBe(parsed);
  expect(templates.keep('a', 'imageInfo;exif')).toBe(parsed);
  expect(templates.keep('b', 'imageAve')).not.toBe(parsed);
});

test('no more are held than fit: the one that was used longest ago goes', () => {
  const templates = new ParsedTemplates(2 * 'imageInfo'.length);
  for (const digest of ['a', 'b']) templates.keep(digest, 'imageInfo');
  expect(templates.find('a')).toBeDefined();
  templates.keep('c', 'imageInfo');
  expect(['a', 'b', 'c'].map((digest) => templates.find(digest) !== undefined)).toEqual([true, false, true]);
});

test('what is no command is refused, and not held', () => {
  const templates = new ParsedTemplates();
  expect(() => templates.keep('a', 'nonsense')).toThrow();
  expect(templates.find('a')).toBeUndefined();
});
