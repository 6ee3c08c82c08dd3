/** Pages in other languages say what the English ones say: the same sections, commands and tables, in the same order. */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';

const ROOT = path.join(import.meta.dirname, '../..');
const TRANSLATED = path.join(ROOT, 'docs/zh-CN');
const pages = (await readdir(TRANSLATED)).toSorted();

/** The README is at the root. Its list of pages, the last section, is another one. */
const originalOf = (page: string) => path.join(ROOT, page === 'README.md' ? '' : 'docs', page);

const CODE = /^( *)```[^\n]*\n[\s\S]*?^\1```$/gm;

function skeletonOf(text: string): object {
  const code = text.match(CODE) ?? [];
  const words = text.replace(CODE, '');
  return {
    code,
    headings: (words.match(/^#+(?= )/gm) ?? []).map((marks) => marks.length),
    tableRows: (words.match(/^\|.*\|$/gm) ?? []).length,
    // What is written as code: names, commands and values are the same in every language.
    names: new Set([...words.matchAll(/`(MILLPOND_\w+|millpond_\w+)/g)].map(([, name]) => name)),
  };
}

test.each(pages)('%s', async (page) => {
  const [translated, original] = await Promise.all([
    readFile(path.join(TRANSLATED, page), 'utf8'),
    readFile(originalOf(page), 'utf8'),
  ]);
  expect(skeletonOf(translated)).toEqual(skeletonOf(original));
});
