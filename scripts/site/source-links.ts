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
    for (const block of state.tokens) changeLinks(block.children ?? [], (href) => target(href, from));
  });
  // A page is a template to the site's builder.
  const { text, code_inline: code } = markdown.renderer.rules;
  markdown.renderer.rules.text = (tokens, index, options, env, self) =>
    (text?.(tokens, index, options, env, self) ?? '').replaceAll('{{', '&#123;&#123;');
  markdown.renderer.rules.code_inline = (tokens, index, options, env, self) =>
    (code?.(tokens, index, options, env, self) ?? '').replace(/^<code/, '<code v-pre');

  /** Undefined: it leads nowhere that readers of the site could go. */
  function target(href: string, from: string): string | undefined {
    const [file = '', fragment] = href.split('#');
    if (file === '') return href;
    const place = path.posix.join(path.posix.dirname(from), file);
    if (pages.has(place)) return href.replace(/(^|\/)README\.md(?=#|$)/, '$1index.md');
    const at = fragment === undefined ? '' : `#${fragment}`;
    return repository === undefined ? undefined : `${repository}/blob/main/${place.replace(/\/$/, '')}${at}`;
  }
}

/** A link without a target becomes its words. */
function changeLinks(tokens: readonly Token[], targetOf: (href: string) => string | undefined): void {
  const isKept: boolean[] = [];
  for (const token of tokens) {
    if (token.type === 'link_open') {
      const href = token.attrGet('href') ?? '';
      const target = isInside(href) ? targetOf(href) : href;
      isKept.push(target !== undefined);
      if (target === undefined) silence(token);
      else token.attrSet('href', target);
    } else if (token.type === 'link_close' && isKept.pop() === false) silence(token);
  }
}

function silence(token: Token): void {
  token.type = 'text';
  token.content = '';
}

/** Where a repository is seen in a browser, from what npm and git call it: `git+https://host/a/b.git`, `git@host:a/b.git`, `github:a/b`. */
export function webAddressOf(repository: string): string {
  const name = repository
    .replace(/^git\+/, '')
    .replace(/^(?:ssh:\/\/)?git@([^:/]+)[:/]/, 'https://$1/')
    .replace(/^github:/, '')
    .replace(/\/$/, '')
    .replace(/\.git$/, '');
  return /^[\w.-]+\/[\w.-]+$/.test(name) ? `https://github.com/${name}` : name;
}
