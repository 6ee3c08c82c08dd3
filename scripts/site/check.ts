/** What is wrong with the pages: links and pictures that lead nowhere, also to headings, and pages that nobody would find. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Section } from './contents.ts';
import { type Page, readPage } from './page.ts';

export interface Sources {
  readonly root: string;
  readonly contents: readonly Section[];
  /** The Markdown pages that must be in a section. */
  readonly documentation: readonly string[];
  /** All files and folders of the project: what else can be linked to. */
  readonly files: ReadonlySet<string>;
}

export async function faultsOf({ root, contents, documentation, files }: Sources): Promise<string[]> {
  const order = contents.flatMap((section) => section.pages);
  const faults = documentation
    .filter((page) => !order.includes(page))
    .map((page) => `${page} is in no section`);
  const pages = new Map<string, Page>();
  for (const page of order) pages.set(page, readPage(await readFile(path.join(root, page), 'utf8')));
  for (const [page, { links, pictures }] of pages) {
    for (const link of links)
      if (!leadsSomewhere(page, link, pages, files)) faults.push(`${page}: ${link} is a broken link`);
    for (const picture of pictures)
      if (!files.has(path.posix.join(path.posix.dirname(page), picture)))
        faults.push(`${page}: there is no picture ${picture}`);
  }
  return faults;
}

function leadsSomewhere(
  from: string,
  link: string,
  pages: ReadonlyMap<string, Page>,
  files: ReadonlySet<string>,
): boolean {
  const [file = '', fragment] = link.split('#');
  const target = file === '' ? from : path.posix.join(path.posix.dirname(from), file);
  const page = pages.get(target);
  if (page === undefined) return fragment === undefined && files.has(target.replace(/\/$/, ''));
  return fragment === undefined || page.headings.some((heading) => heading.id === fragment);
}
