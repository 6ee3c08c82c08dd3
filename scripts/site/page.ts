/** What a page links to, shows and can be linked at, for the check of the pages and the site's table of contents. */
import { Marked, type Tokens } from 'marked';

export interface Page {
  readonly title: string;
  readonly headings: readonly Heading[];
  /** As written: relative paths with their fragment. Links out of the project are omitted. */
  readonly links: readonly string[];
  /** Pictures of the project, as written. */
  readonly pictures: readonly string[];
}

export interface Heading {
  readonly depth: number;
  readonly id: string;
  readonly text: string;
}

/** A picture for readers of light and of dark pages: the only HTML that pages may have. */
export const PICTURE =
  /<picture>\s*<source media="\(prefers-color-scheme: dark\)" srcset="([\w./-]+)">\s*<img alt="([^"<>&]+)" src="([\w./-]+)">\s*<\/picture>/;

/** `docs/a.md` is served as `docs/a.html`; the first page of a folder as its `index.html`. A fragment stays. */
export function addressOf(page: string): string {
  return page.replace(/(^|\/)README\.md(?=#|$)/, '$1index.html').replace(/\.md(?=#|$)/, '.html');
}

export function readPage(markdown: string): Page {
  const headings: Heading[] = [];
  const links: string[] = [];
  const pictures: string[] = [];
  const ids = new Set<string>();
  const marked = new Marked({
    gfm: true,
    renderer: {
      heading({ tokens, depth }: Tokens.Heading) {
        const text = plain(this.parser.parseInline(tokens));
        headings.push({ depth, id: unusedId(text, ids), text });
        return '';
      },
      link({ href, tokens }: Tokens.Link) {
        if (isInside(href)) links.push(href);
        return this.parser.parseInline(tokens);
      },
      image({ href }: Tokens.Image) {
        pictures.push(href);
        return '';
      },
      html({ text }: Tokens.HTML | Tokens.Tag) {
        const [, dark, , light] = PICTURE.exec(text) ?? [];
        if (dark !== undefined && light !== undefined) pictures.push(dark, light);
        return '';
      },
    },
  });
  marked.parse(markdown, { async: false });
  return { title: headings[0]?.text ?? 'Millpond', headings, links, pictures };
}

/** Whether a link stays in the project. */
export function isInside(href: string): boolean {
  return !/^[a-z][a-z0-9+.-]*:/i.test(href);
}

/** As the usual Markdown hosts make them, so that one link works there and on the site. */
export function idOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

function unusedId(text: string, taken: Set<string>): string {
  const base = idOf(text);
  for (let count = 0; ; count++) {
    const id = count === 0 ? base : `${base}-${count}`;
    if (taken.has(id)) continue;
    taken.add(id);
    return id;
  }
}

function plain(html: string): string {
  return html
    .replace(/<[^>]*>/g, '')
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
}
