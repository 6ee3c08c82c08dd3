/**
 * Pages in other languages say what the English ones say: the same sections, commands and tables in the same order, and in each section the
 * same code, links, numbers and items of lists. Words can't be compared, but what falls behind in them mostly does so in these too.
 */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';

const ROOT = path.join(import.meta.dirname, '../..');
const FOLDER = 'docs/zh-CN';
const names = (await readdir(path.join(ROOT, FOLDER))).toSorted();

const pairs = names.map((name) => ({
  translated: `${FOLDER}/${name}`,
  original: originalOf(`${FOLDER}/${name}`),
}));
const originals = new Set(pairs.map(({ original }) => original));

/** The README is at the root. */
function originalOf(page: string): string {
  if (page === `${FOLDER}/README.md`) return 'README.md';
  return page.replace(`${FOLDER}/`, 'docs/');
}

const CODE = /^( *)```[^\n]*\n[\s\S]*?^\1```$/gm;
const LINK = /!?\[([^\]]*)\]\(([^)\s]+)\)/g;

/** Half-width punctuation beside a Chinese character; before one also with a space between. Full-width is what Chinese sentences have. */
const HALF_WIDTH = /[\u4e00-\u9fff][,.:;?!()]|[,:;?!()] ?[\u4e00-\u9fff]/;

function skeletonOf(text: string): object {
  const words = text.replace(CODE, '');
  return {
    code: text.match(CODE) ?? [],
    headings: (words.match(/^#+(?= )/gm) ?? []).map((marks) => marks.length),
    tableRows: (words.match(/^\|.*\|$/gm) ?? []).length,
  };
}

/** What each section of a page has besides words. */
function factsOf(text: string, page: string): readonly object[] {
  const sections = text.replace(CODE, '').split(/^#+ .*$/m);
  return sections.slice(1).map((section) => {
    const words = section.replace(LINK, '$1');
    return {
      links: sorted(linksOf(section, page)),
      // A place for something of the reader's may have a name in their language.
      names: sorted(
        [...words.matchAll(/`([^`]+)`/g)].map(([, name = '']) =>
          name.replace(/\s+/g, ' ').replace(/<[^<>]*>/g, '<>'),
        ),
      ),
      numbers: sorted(numbersIn(words)),
      items: words.match(/^ *(?:[-*]|\d+\.) /gm)?.length ?? 0,
    };
  });
}

/** Without those to the same page in the other language. */
function linksOf(section: string, page: string): string[] {
  const links = [...section.matchAll(LINK)].map(([, , target = '']) => leadsTo(target, page));
  return links.filter((target) => target !== originalOf(page));
}

function sorted(texts: readonly string[]): string[] {
  return [...new Set(texts)].toSorted();
}

function numbersIn(words: string): string[] {
  const plain = words.replace(/`[^`]+`/g, '').replace(/^ *\d+\. /gm, '');
  return plain.replace(/(?<=\d),(?=\d{3})/g, '').match(/\d+(?:\.\d+)?/g) ?? [];
}

/** The original for a page that is translated: its headings have other names there. */
function leadsTo(link: string, from: string): string {
  if (/^[a-z]+:/.test(link)) return link;
  const [file = '', fragment] = link.split('#');
  if (file === '') return 'this page';
  const target = originalOf(path.posix.join(path.posix.dirname(from), file));
  return originals.has(target) || fragment === undefined ? target : `${target}#${fragment}`;
}

test.each(pairs)('$translated', async ({ translated, original }) => {
  const [text, english] = await Promise.all(
    [translated, original].map((page) => readFile(path.join(ROOT, page), 'utf8')),
  );
  expect(skeletonOf(text ?? '')).toEqual(skeletonOf(english ?? ''));
  const [facts, wanted] = [factsOf(text ?? '', translated), factsOf(english ?? '', original)];
  // Its list of pages is another one.
  const compared = original === 'README.md' ? wanted.slice(0, -1) : wanted;
  for (const [index, section] of compared.entries())
    expect(facts[index], `section ${index + 1}`).toEqual(section);
});

test.each(pairs)(
  '$original and $translated begin with links to each other',
  async ({ translated, original }) => {
    for (const [from, to, words] of [
      [original, translated, '中文'],
      [translated, original, 'English'],
    ] as const) {
      const [, , line] = (await readFile(path.join(ROOT, from), 'utf8')).split('\n');
      expect(line, from).toBe(`[${words}](${path.posix.relative(path.posix.dirname(from), to)})`);
    }
  },
);

test.each(pairs)('$translated has full-width punctuation in its sentences', async ({ translated }) => {
  const text = await readFile(path.join(ROOT, translated), 'utf8');
  // A name in code stands in its sentence as a word does.
  const words = text
    .replace(CODE, '')
    .replace(/`[^`]+`/g, '码')
    .replace(LINK, '$1')
    .replaceAll('**', '');
  expect(words.split('\n').filter((line) => HALF_WIDTH.test(line))).toEqual([]);
});
