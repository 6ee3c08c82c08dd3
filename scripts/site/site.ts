/**
 * The documentation as static pages that need no network: generated from the same Markdown that is read in the
 * repository, with a search over all headings. A broken link, or a page in no section, stops the build.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Section } from './contents.ts';
import { addressOf, escapeHtml, type RenderedPage, render } from './render.ts';

export interface Site {
  /** By their path in the site. */
  readonly files: ReadonlyMap<string, string | Uint8Array>;
  readonly faults: readonly string[];
}

export interface Sources {
  readonly root: string;
  readonly contents: readonly Section[];
  /** The Markdown pages that must be in a section. */
  readonly documentation: readonly string[];
  /** All files and folders of the project: what else can be linked to. */
  readonly files: ReadonlySet<string>;
}

export async function makeSite({ root, contents, documentation, files }: Sources): Promise<Site> {
  const order = contents.flatMap((section) => section.pages);
  const faults = documentation
    .filter((page) => !order.includes(page))
    .map((page) => `${page} is in no section`);
  const pages = new Map<string, RenderedPage>();
  for (const page of order) pages.set(page, render(await readFile(path.join(root, page), 'utf8')));
  for (const [page, { links }] of pages) {
    for (const link of links)
      if (!leadsSomewhere(page, link, pages, files)) faults.push(`${page}: ${link} is a broken link`);
  }
  const output = new Map<string, string | Uint8Array>();
  for (const [page, rendered] of pages) output.set(addressOf(page), frame(page, rendered, contents, pages));
  for (const [page, { pictures }] of pages)
    for (const picture of pictures) {
      const file = path.posix.join(path.posix.dirname(page), picture);
      if (files.has(file)) output.set(file, await readFile(path.join(root, file)));
      else faults.push(`${page}: there is no picture ${picture}`);
    }
  output.set('search.json', searchIndex(pages));
  for (const asset of ['style.css', 'search.js']) {
    output.set(asset, await readFile(path.join(import.meta.dirname, 'assets', asset), 'utf8'));
  }
  return { files: output, faults };
}

function leadsSomewhere(
  from: string,
  link: string,
  pages: ReadonlyMap<string, RenderedPage>,
  files: ReadonlySet<string>,
): boolean {
  const [file = '', fragment] = link.split('#');
  const target = file === '' ? from : path.posix.join(path.posix.dirname(from), file);
  const page = pages.get(target);
  if (page === undefined) return fragment === undefined && files.has(target.replace(/\/$/, ''));
  return fragment === undefined || page.headings.some((heading) => heading.id === fragment);
}

function searchIndex(pages: ReadonlyMap<string, RenderedPage>): string {
  const entries = [...pages].flatMap(([page, { title, headings }]) =>
    headings.map((heading) => [`${addressOf(page)}#${heading.id}`, heading.text, title]),
  );
  return JSON.stringify(entries);
}

function frame(
  page: string,
  rendered: RenderedPage,
  contents: readonly Section[],
  pages: ReadonlyMap<string, RenderedPage>,
): string {
  const base = '../'.repeat(page.split('/').length - 1);
  const inPage = rendered.headings.filter((heading) => heading.depth === 2);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(rendered.title)} · Millpond</title>
<link rel="stylesheet" href="${base}style.css">
<script src="${base}search.js" data-base="${base}" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<nav aria-label="documentation">
<p class="name"><a href="${base}index.html">Millpond</a></p>
<input id="search" type="search" placeholder="Search" aria-label="search the documentation" autocomplete="off">
<ul id="found" aria-live="polite"></ul>
${contents.map((section) => sectionList(section, page, base, pages)).join('\n')}
</nav>
<main id="content">
${rendered.body}
</main>
<aside aria-label="on this page">
${inPage.map((heading) => `<a href="#${heading.id}">${escapeHtml(heading.text)}</a>`).join('\n')}
</aside>
</body>
</html>
`;
}

function sectionList(
  section: Section,
  current: string,
  base: string,
  pages: ReadonlyMap<string, RenderedPage>,
): string {
  const items = section.pages.map((page) => {
    const here = page === current ? ' aria-current="page"' : '';
    return `<li><a href="${base}${addressOf(page)}"${here}>${escapeHtml(pages.get(page)?.title ?? page)}</a></li>`;
  });
  return `<h2>${section.title}</h2>\n<ul>\n${items.join('\n')}\n</ul>`;
}
