/** Which page says the same in the other language. */
const CHINESE = 'docs/zh-CN';

/** The folder of the Chinese pages, as the site names their part. */
export const chineseFolder = CHINESE;

export function isChinese(page: string): boolean {
  return page.startsWith(`${CHINESE}/`);
}

/** Undefined where a page is in one language only. The first page is at the root, as hosts of repositories want it. */
export function counterpartOf(page: string, pages: ReadonlySet<string>): string | undefined {
  const name = page.replace(/^docs\/(?:zh-CN\/)?/, '');
  const other = isChinese(page)
    ? [name === 'README.md' ? name : `docs/${name}`]
    : page === 'docs/README.md'
      ? []
      : [`${CHINESE}/${name}`];
  return other.find((candidate) => pages.has(candidate));
}
