/** No word is missing in a language, none is left over, and none stands in the code instead of the catalogue. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const WORDS = import.meta.dirname;
const SOURCES = path.join(WORDS, '..');
const PLURAL = /_(?:zero|one|two|few|many|other)$/;
/** Names, which are the same in every language. */
const NAMES = new Set(['Millpond']);

const areas = readdirSync(path.join(WORDS, 'en')).toSorted();
const sources = readdirSync(SOURCES, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !/\.test\.tsx?$/.test(entry.name))
  .map((entry) => path.join(entry.parentPath, entry.name))
  .map((file) => ({ file: path.relative(SOURCES, file), text: readFileSync(file, 'utf8') }));

function wordsOf(language: string, area: string): Record<string, string> {
  return JSON.parse(readFileSync(path.join(WORDS, language, area), 'utf8')) as Record<string, string>;
}

/** What is filled in, by the key that code uses. */
function places(words: Record<string, string>): Record<string, string[]> {
  const all: Record<string, Set<string>> = {};
  for (const [key, text] of Object.entries(words)) {
    const found = [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name ?? '');
    const base = key.replace(PLURAL, '');
    all[base] = new Set([...(all[base] ?? []), ...found]);
  }
  return Object.fromEntries(Object.entries(all).map(([key, names]) => [key, [...names].toSorted()]));
}

test('both languages have the same areas', () => {
  expect(readdirSync(path.join(WORDS, 'zh-CN')).toSorted()).toEqual(areas);
});

test.each(areas)('%s: both languages have every word, with the same places to fill', (area) => {
  const [en, zh] = [places(wordsOf('en', area)), places(wordsOf('zh-CN', area))];
  // A number that English says in the singular without its figure is a figure in Chinese.
  const withoutCount = (all: Record<string, string[]>) =>
    Object.fromEntries(
      Object.entries(all).map(([key, names]) => [key, names.filter((name) => name !== 'count')]),
    );
  expect(withoutCount(zh)).toEqual(withoutCount(en));
  for (const [key, text] of [
    ...Object.entries(wordsOf('en', area)),
    ...Object.entries(wordsOf('zh-CN', area)),
  ])
    expect(text.trim(), key).not.toBe('');
});

test.each(areas)('%s: every word is used', (area) => {
  const all = sources.map(({ text }) => text).join('\n');
  const literals = new Set([...all.matchAll(/['"`]([\w.-]+)['"`]/g)].map(([, text]) => text ?? ''));
  const heads = [...all.matchAll(/`([\w.-]+)\$\{/g)]
    .map(([, text]) => text ?? '')
    .filter((head) => head.length > 2);
  const unused = Object.keys(wordsOf('en', area))
    .map((key) => key.replace(PLURAL, ''))
    .filter((key) => !literals.has(key) && !heads.some((head) => key.startsWith(head)));
  expect(unused).toEqual([]);
});

test('no screen has words of its own', () => {
  const found = sources
    .filter(({ file }) => file.endsWith('.tsx'))
    .flatMap(({ file, text }) =>
      [
        ...text
          .replace(/<kbd>[^<]*<\/kbd>/g, '')
          .matchAll(/(?<![=-])>\s*([^<>{}();=]*\p{L}{2,}[^<>{}();=]*?)\s*<\//gu),
      ]
        .map(([, words]) => (words ?? '').trim())
        .filter((words) => !NAMES.has(words))
        .map((words) => `${file}: ${words}`),
    );
  expect(found).toEqual([]);
});
