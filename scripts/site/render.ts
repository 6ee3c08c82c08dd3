/** Markdown to a page: headings that can be linked to, links between pages, and nothing that runs. */
import { Marked, type Tokens } from 'marked';

export interface RenderedPage {
  readonly title: string;
  readonly body: string;
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
const PICTURE =
  /^<picture>\s*<source media="\(prefers-color-scheme: dark\)" srcset="([\w./-]+)">\s*<img alt="([^"<>&]+)" src="([\w./-]+)">\s*<\/picture>\s*$/;

/** `docs/a.md` is served as `docs/a.html`; the first page of a folder as its `index.html`. A fragment stays. */
export function addressOf(page: string): string {
  return page.replace(/(^|\/)README\.md(?=#|$)/, '$1index.html').replace(/\.md(?=#|$)/, '.html');
}

export function render(markdown: string): RenderedPage {
  const headings: Heading[] = [];
  const links: string[] = [];
  const pictures: string[] = [];
  const picture = (href: string, alt: string) => {
    pictures.push(href);
    return `<img src="${escapeHtml(href)}" alt="${escapeHtml(alt)}" loading="lazy">`;
  };
  const ids = new Set<string>();
  const marked = new Marked({
    gfm: true,
    renderer: {
      heading({ tokens, depth }: Tokens.Heading) {
        const html = this.parser.parseInline(tokens);
        const text = plain(html);
        const id = unusedId(text, ids);
        headings.push({ depth, id, text });
        return `<h${depth} id="${id}">${html}<a class="anchor" href="#${id}" aria-label="link to this section">#</a></h${depth}>\n`;
      },
      link({ href, tokens }: Tokens.Link) {
        const inside = isInside(href);
        if (inside) links.push(href);
        const target = inside ? addressOf(href) : href;
        return `<a href="${escapeHtml(target)}">${this.parser.parseInline(tokens)}</a>`;
      },
      image: ({ href, text }: Tokens.Image) => picture(href, text),
      table(token: Tokens.Table) {
        const row = (cells: Tokens.TableCell[], tag: string) =>
          `<tr>${cells.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('')}</tr>`;
        const rows = token.rows.map((cells) => row(cells, 'td')).join('\n');
        return `<div class="wide"><table><thead>${row(token.header, 'th')}</thead><tbody>${rows}</tbody></table></div>\n`;
      },
      // Comments are for editors of the page; anything else is shown as written.
      html({ text }: Tokens.HTML | Tokens.Tag) {
        const [, dark, alt = '', light = ''] = PICTURE.exec(text) ?? [];
        if (dark === undefined) return escapeHtml(text.replace(/<!--[\s\S]*?-->/g, ''));
        pictures.push(dark);
        const source = `<source media="(prefers-color-scheme: dark)" srcset="${escapeHtml(dark)}">`;
        return `<picture>${source}${picture(light, alt)}</picture>\n`;
      },
    },
  });
  const body = marked.parse(markdown, { async: false });
  return { title: headings[0]?.text ?? 'Millpond', body, headings, links, pictures };
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

function isInside(href: string): boolean {
  return !/^[a-z][a-z0-9+.-]*:/i.test(href);
}

/** As the usual Markdown hosts make them, so that one link works there and here. */
function unusedId(text: string, taken: Set<string>): string {
  const base = text
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
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
