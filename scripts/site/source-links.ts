/**
 * Makes Markdown that is read in the repository a page of the site: links to `README.md` lead to the folder's first page, and links to files
 * that are no pages to the repository, or nowhere if it is not known.
 */
import path from 'node:path';
import type { MarkdownRenderer } from 'vitepress';
import { isInside } from './page.ts';

export interface SourceLinkOptions {
  readonly pages: ReadonlySet<string>;
  readonly repository: string | undefined;
}

type Token = ReturnType<MarkdownRenderer['parse']>[number];

export function sourceLinks(markdown: MarkdownRenderer, { pages, repository }: SourceLinkOptions): void {
  markdown.core.ruler.push('source-links', (state) => {
    const from = String((state.env as { relativePath?: string }).relativePath ?? '').replace(
      /index\.md$/,
      'README.md',
    );
    for (const block of state.tokens) {
      const inline: Token[] = block.children ?? [];
      for (const token of inline) {
        const href = token.type === 'link_open' ? token.attrGet('href') : null;
        if (href !== null && isInside(href)) token.attrSet('href', target(href, from));
      }
    }
  });
  // A page is a template to the site's builder.
  const { text } = markdown.renderer.rules;
  markdown.renderer.rules.text = (tokens, index, options, env, self) =>
    (text?.(tokens, index, options, env, self) ?? '').replaceAll('{{', '&#123;&#123;');

  function target(href: string, from: string): string {
    const [file = '', fragment] = href.split('#');
    if (file === '') return href;
    const place = path.posix.join(path.posix.dirname(from), file);
    if (pages.has(place)) return href.replace(/(^|\/)README\.md(?=#|$)/, '$1index.md');
    const at = fragment === undefined ? '' : `#${fragment}`;
    return repository === undefined ? '' : `${repository}/blob/main/${place.replace(/\/$/, '')}${at}`;
  }
}
